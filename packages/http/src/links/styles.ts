import type { BrandLook, BrandTones } from "@countersign/core"

/**
 * How the pages look: in light and dark, at 320 px, in forced colours, without motion. Named in their policy by its hash.
 * The colours of the merchant are in `tints`.
 */
export const styles = `:root{color-scheme:light dark;--back:#f3f5f4;--card:#fff;--text:#14201e;--quiet:#566461;--line:#dfe6e3;--good:#146c34;--bad:#b42318}
@media (prefers-color-scheme:dark){:root{--back:#0d1413;--card:#161f1d;--text:#e9f0ee;--quiet:#9fb0ac;--line:#35443f;--good:#6fdc98;--bad:#ff9b8f}}
*{box-sizing:border-box;margin:0}
html{font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Devanagari",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
:lang(hi){line-height:1.7}
body{min-height:100vh;min-height:100dvh;display:grid;align-content:center;justify-items:center;padding:1rem;background:var(--back);color:var(--text);overflow-wrap:anywhere}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;box-shadow:0 1px 2px #0f172a0d,0 12px 32px #0f172a14}
.mark{display:grid;place-items:center;width:3.5rem;height:3.5rem;margin-bottom:1.25rem;border-radius:1rem;border:1px solid transparent;background:var(--soft);color:var(--tint);font-size:1.5rem;font-weight:650;line-height:1;overflow:hidden}
.mark svg{width:1.75rem;height:1.75rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.logo{display:block;max-width:100%;height:auto;margin-bottom:1.25rem;background:#fff}
@media (prefers-color-scheme:dark){.logo{box-sizing:content-box;padding:.375rem;border-radius:.5rem}}
.good{color:var(--good)}.bad{color:var(--bad)}.quiet{color:var(--quiet)}.good,.bad,.quiet{background:color-mix(in srgb,currentColor 12%,var(--card))}
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
button{width:100%;min-height:3.25rem;padding:.75rem 1rem;font:inherit;font-size:1.0625rem;font-weight:600;color:var(--on);background:var(--fill);border:2px solid var(--tint);border-radius:.875rem;cursor:pointer;touch-action:manipulation}
.numbers button{min-height:4.5rem;padding:.25rem;font-size:1.5rem;font-variant-numeric:tabular-nums;color:var(--tint);background:var(--soft)}
button:hover,button:active{box-shadow:0 0 0 4px var(--soft)}
.numbers button:hover,.numbers button:active{color:var(--on);background:var(--fill)}
button:focus-visible{outline:3px solid var(--tint);outline-offset:3px}
.note{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.9375rem;color:var(--quiet)}
.note strong{display:block;color:var(--text)}
@media (max-width:24rem){body{padding:.75rem}main{padding:1.5rem 1.25rem}dl div{gap:.75rem;padding:.625rem .75rem}}
@media (prefers-reduced-motion:no-preference){button{transition:background-color .15s,color .15s,box-shadow .15s}}
@media (prefers-contrast:more){:root{--quiet:var(--text);--line:var(--text)}}
@media (forced-colors:active){main,.mark{border-color:CanvasText}button{border-color:ButtonText}}`

const tones = ({ fill, on, soft, text }: BrandTones) => `:root{--fill:${fill};--on:${on};--soft:${soft};--tint:${text}}`

/** The merchant's colours, as a second style with its own hash. */
export const tints = ({ dark, light }: BrandLook): string =>
  `${tones(light)}@media (prefers-color-scheme:dark){${tones(dark)}}`
