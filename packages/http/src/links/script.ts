/**
 * The only script, which nothing needs. The token leaves the address bar and the session history; and a second press,
 * which would take the first one's answer away and find the link used, does nothing. Named in the policy by its hash.
 */
export const script = `history.replaceState(null,"",location.pathname.replace(/\\/l\\/.*$/,"/l"))
let pressed=false
addEventListener("pageshow",()=>{pressed=false})
addEventListener("submit",(event)=>{if(pressed)event.preventDefault();pressed=true})`
