/**
 * The page's only script. The page also works without it. It removes the token from the address bar and the history, and
 * ignores a second press, which would replace the first one's answer with an error. The policy allows it by its hash.
 */
export const script = `history.replaceState(null,"",location.pathname.replace(/\\/l\\/.*$/,"/l"))
let pressed=false
addEventListener("pageshow",()=>{pressed=false})
addEventListener("submit",(event)=>{if(pressed)event.preventDefault();pressed=true})`
