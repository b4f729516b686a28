/** How the pages look: in light and dark, at 320 px, in forced colours, without motion. Named in their policy by its hash. */
export const styles = `:root{color-scheme:light dark;--back:#f2f4f8;--card:#fff;--text:#151922;--quiet:#545c6c;--line:#dce0e8;--deed:#1f4fd8;--press:#183fb0;--on:#fff;--soft:#e8eefe;--good:#12703c;--bad:#a8331c}
@media (prefers-color-scheme:dark){:root{--back:#0e1117;--card:#181c25;--text:#eef1f6;--quiet:#a7b0c0;--line:#323946;--deed:#9dbbff;--press:#bdd1ff;--on:#0c1530;--soft:#222d4b;--good:#6fd79c;--bad:#ff9d85}}
*{box-sizing:border-box;margin:0}
html{font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Devanagari",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
:lang(hi){line-height:1.7}
body{min-height:100vh;min-height:100dvh;display:grid;align-content:center;justify-items:center;padding:1rem;background:var(--back);color:var(--text);overflow-wrap:anywhere}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;box-shadow:0 1px 2px #0f172a0d,0 12px 32px #0f172a14}
.mark{display:grid;place-items:center;width:3.5rem;height:3.5rem;margin-bottom:1.25rem;border-radius:1rem;border:1px solid transparent;background:var(--soft);background:color-mix(in srgb,currentColor 12%,var(--card));color:var(--deed);font-size:1.5rem;font-weight:650;line-height:1;overflow:hidden}
.mark svg{width:1.75rem;height:1.75rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.good{color:var(--good)}.bad{color:var(--bad)}.quiet{color:var(--quiet)}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
h1:lang(hi){line-height:1.5;letter-spacing:0}
p{text-wrap:pretty}
h1~p{margin-top:.75rem;color:var(--quiet)}
dl{margin:1.5rem 0;border:1px solid var(--line);border-radius:.875rem}
dl div{display:grid;grid-template-columns:minmax(4.5rem,auto) 1fr;gap:1rem;padding:.75rem 1rem}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--quiet)}
dd{font-weight:550;text-align:end;overflow:hidden;min-width:0}
fieldset{border:0;padding:0;min-width:0}
legend{padding:0;margin-bottom:1rem;font-size:1.0625rem;font-weight:600;text-wrap:balance}
.numbers{display:grid;grid-template-columns:repeat(5,1fr);gap:.5rem}
button{width:100%;min-height:3.25rem;padding:.75rem 1rem;font:inherit;font-size:1.0625rem;font-weight:600;color:var(--on);background:var(--deed);border:2px solid transparent;border-radius:.875rem;cursor:pointer;touch-action:manipulation}
.numbers button{min-height:4.5rem;padding:.25rem;font-size:1.5rem;font-variant-numeric:tabular-nums;color:var(--deed);background:var(--soft);border-color:var(--deed)}
button:hover,button:active{background:var(--press)}
.numbers button:hover,.numbers button:active{color:var(--on);background:var(--deed)}
button:focus-visible{outline:3px solid var(--deed);outline-offset:3px}
.note{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.9375rem;color:var(--quiet)}
.note strong{display:block;color:var(--text)}
@media (max-width:24rem){body{padding:.75rem}main{padding:1.5rem 1.25rem}dl div{gap:.75rem;padding:.625rem .75rem}}
@media (prefers-reduced-motion:no-preference){button{transition:background-color .15s,color .15s}}
@media (prefers-contrast:more){:root{--quiet:var(--text);--line:var(--text)}}
@media (forced-colors:active){main,.mark{border-color:CanvasText}button{border-color:ButtonText}}`
