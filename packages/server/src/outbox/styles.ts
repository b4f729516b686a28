export const styles = String.raw`
:root {
  color-scheme: light dark;
  --ground: #f3f5f4; --card: #ffffff; --ink: #14201e; --quiet: #566461; --line: #cfd8d5;
  --accent: #0f766e; --bad: #b42318; --good: #15803d;
  --screen: #ffffff; --bezel: #101716;
  --bubble: #e9ecee; --rcs: #d8e6fb; --rcs-ink: #0b57d0; --chat: #efe9e1; --chat-bubble: #ffffff; --chat-ink: #00735f;
  --mail: #ffffff; --mail-ink: #7a3e9d; --ticks: #0b7fab;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1413; --card: #161f1d; --ink: #e9f0ee; --quiet: #9fb0ac; --line: #35443f;
    --accent: #2dd4bf; --bad: #ff9b8f; --good: #6fdc98;
    --screen: #0a0f0e; --bezel: #2b3835;
    --bubble: #26302e; --rcs: #17304f; --rcs-ink: #a8c7fa; --chat: #0b1411; --chat-bubble: #1f2c2a; --chat-ink: #4fd8b4;
    --mail: #171f1e; --mail-ink: #d6a9f0; --ticks: #53bdeb;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  background: var(--ground); color: var(--ink);
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Devanagari", "Open Sans", sans-serif;
}
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.screen:focus-visible { outline-offset: -3px; }
svg { width: 1em; height: 1em; fill: currentColor; flex: none; }
.sprite, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }

.stage { display: flex; flex-direction: column; height: 100%; }
.about {
  display: grid; grid-template-columns: 1fr minmax(0, auto); gap: .25rem .75rem; align-items: center;
  padding: .625rem 1rem; background: var(--card); border-bottom: 1px solid var(--line);
}
.about h1 { font-size: 1.25rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
.lead { display: none; }
.state { display: flex; gap: .5rem; align-items: baseline; margin: 0; font-size: .875rem; color: var(--quiet); }
.state::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: var(--quiet); flex: none; }
.state[data-state="live"]::before { background: var(--good); }
.state[data-state="lost"] { color: var(--bad); grid-column: 1 / -1; }
.state[data-state="lost"]::before { background: var(--bad); }
.filter { grid-column: 1 / -1; display: flex; gap: .375rem; overflow-x: auto; min-width: 0; padding: 3px; margin: -3px; scrollbar-width: thin; }
.filter:empty { display: none; }
.chip, .clear {
  flex: none; font: inherit; font-size: .875rem; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 2rem; padding: .3rem .75rem; min-height: 2.25rem; cursor: pointer; max-width: 100%; overflow-wrap: anywhere;
}
.chip[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--screen); font-weight: 600; }
.chip:hover, .clear:hover { border-color: var(--accent); }
.clear { grid-column: 2; grid-row: 1; justify-self: end; color: var(--accent); font-weight: 600; }
.found { font-size: .8125rem; }
nav { white-space: nowrap; display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem; justify-self: end; }
.about nav a[href="/docs"] { display: none; }

.phone { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; background: var(--screen); }
.bar { display: none; }
.screen { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column; }
#messages { list-style: none; margin: auto 0 0; padding: .75rem 0 1.25rem; }
.newer {
  position: absolute; bottom: 1rem; left: 50%; translate: -50% 0; font: inherit; font-size: .875rem; font-weight: 600;
  padding: .5rem 1rem; border: 0; border-radius: 2rem; background: var(--accent); color: var(--screen); cursor: pointer;
  box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
}

.message { position: relative; padding: .5rem 1rem; }
.message.follows { padding-top: .125rem; }
.message.follows .head { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.head {
  display: flex; align-items: center; gap: .375rem; margin: .375rem 0; font-size: .8125rem; font-weight: 600; color: var(--quiet);
}
.head svg { font-size: 1rem; }
.app { color: var(--ink); }
.to { font-weight: 400; min-width: 0; overflow-wrap: anywhere; }
.bubble { width: fit-content; max-width: 88%; min-width: 0; border-radius: 1.125rem; padding: .5rem .875rem; background: var(--bubble); }
.text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.text.cut { max-height: 11.5rem; overflow: hidden; mask-image: linear-gradient(#000 70%, transparent); }
.code { font-variant-numeric: tabular-nums; letter-spacing: .04em; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 3px; }
.foot, .under { display: flex; align-items: center; gap: .25rem .625rem; flex-wrap: wrap; margin: .25rem 0 0; font-size: .8125rem; color: var(--quiet); }
.under { margin-left: .25rem; }
.under .foot { margin: 0; }
.status { display: inline-flex; align-items: center; gap: .25rem; }
[data-status="READ"] .status svg { color: var(--ticks); }
[data-status="FAILED"] .status { color: var(--bad); font-weight: 600; }
[data-status="FAILED"] .bubble { background: transparent !important; box-shadow: none !important; border: 1px dashed var(--bad); }
button.copy, button.more { font: inherit; cursor: pointer; }
.copy {
  display: inline-flex; align-items: center; justify-content: center; gap: .375rem; font-size: .8125rem !important; font-weight: 600 !important;
  min-height: 2rem; padding: .25rem .75rem; border-radius: 2rem; text-decoration: none; border: 1px solid var(--line); background: transparent; color: var(--accent);
}
.copy:hover { background: color-mix(in srgb, currentColor 10%, transparent); }
.more { border: 0; background: none; padding: .25rem 0; color: var(--mail-ink); font-size: .875rem !important; font-weight: 600 !important; }

[data-channel="SMS"] .head svg { color: var(--good); }
[data-channel="SMS"] .bubble { border-bottom-left-radius: .25rem; }

[data-channel="RCS"] .head svg, [data-channel="RCS"] .copy { color: var(--rcs-ink); }
[data-channel="RCS"] .bubble { background: var(--rcs); border-radius: 1.375rem 1.375rem 1.375rem .375rem; }

[data-channel="WHATSAPP"] { background: var(--chat); }
[data-channel="WHATSAPP"] .head svg { color: var(--chat-ink); }
[data-channel="WHATSAPP"] .bubble {
  background: var(--chat-bubble); border-radius: 0 .75rem .75rem; padding: .5rem .75rem 0; box-shadow: 0 1px 1px rgb(0 0 0 / 12%);
  width: min(20rem, 88%);
}
[data-channel="WHATSAPP"] .code { text-decoration: none; }
[data-channel="WHATSAPP"] .foot { justify-content: flex-end; margin-bottom: .375rem; font-size: .75rem; }
[data-channel="WHATSAPP"] .copy {
  width: calc(100% + 1.5rem); margin: 0 -.75rem; border: 0; border-top: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
  border-radius: 0 0 .75rem .75rem; min-height: 2.75rem; color: var(--chat-ink); font-size: .9375rem !important;
}

[data-channel="EMAIL"] .head svg { color: var(--mail-ink); }
[data-channel="EMAIL"] .bubble {
  width: 100%; max-width: none; background: var(--mail); border: 1px solid var(--line); border-radius: .875rem; padding: .875rem 1rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / 6%);
}
.subject { margin: 0 0 .5rem; font-size: 1.0625rem; line-height: 1.3; overflow-wrap: anywhere; }
.subject .code { text-decoration: none; letter-spacing: 0; }
[data-channel="EMAIL"] .text { font-size: .9375rem; }
[data-channel="EMAIL"] .copy { color: var(--mail-ink); margin-top: .75rem; }
[data-channel="EMAIL"] .more + .copy { margin-left: .75rem; }
[data-channel="EMAIL"] .foot { margin-top: .625rem; }

.empty { margin: auto; padding: 2rem 1.75rem; text-align: center; color: var(--quiet); max-width: 24rem; }
.empty svg { font-size: 3rem; color: var(--line); }
.empty h2 { margin: .75rem 0 .5rem; font-size: 1.125rem; color: var(--ink); }
.empty p { margin: .5rem 0; font-size: .9375rem; }
.empty code { white-space: nowrap; }
#messages:has(+ .empty:not([hidden])) { display: none; }
.noscript { position: fixed; inset: auto 0 0; margin: 0; padding: 1rem; background: var(--card); }

@media (prefers-reduced-motion: no-preference) {
  .arrives { animation: arrive .35s cubic-bezier(.2, .9, .3, 1.2); transform-origin: left bottom; }
  @keyframes arrive { from { opacity: 0; transform: translateY(12px) scale(.97); } }
}

@media (min-width: 820px) {
  .stage {
    display: grid; grid-template-columns: minmax(15rem, 21rem) 390px; gap: clamp(2rem, 7vw, 6rem);
    justify-content: center; align-items: center; padding: 1.25rem;
  }
  .about { display: flex; flex-direction: column; align-items: stretch; gap: 1rem; background: none; border: 0; padding: 0; }
  .about h1 { font-size: 2.25rem; letter-spacing: -.025em; }
  .lead { display: block; margin: 0; color: var(--quiet); }
  .filter { flex-wrap: wrap; overflow: hidden auto; max-height: 9rem; }
  .clear { align-self: start; }
  nav { justify-self: start; font-size: .9375rem; }
  .about nav a[href="/docs"] { display: inline; }
  .phone {
    height: min(100%, 844px); width: 390px; border: 10px solid var(--bezel); border-radius: 3.25rem; overflow: hidden;
    box-shadow: 0 1px 0 1px color-mix(in srgb, var(--line) 70%, transparent), 0 24px 64px rgb(10 30 26 / 22%);
  }
  .bar { display: flex; align-items: center; justify-content: space-between; height: 2.75rem; padding: .25rem 1.75rem 0; font-size: .875rem; font-weight: 600; flex: none; }
  .pill { position: absolute; left: 50%; translate: -50% 0; width: 5.5rem; height: 1.5rem; border-radius: 1rem; background: var(--bezel); }
  .battery { width: 1.5rem; height: .75rem; border: 1.5px solid currentColor; border-radius: .25rem; background: linear-gradient(currentColor, currentColor) 2px 50% / 65% 4px no-repeat; }
  #messages { padding-bottom: 2rem; }
}
@media (forced-colors: active) { .bubble { border: 1px solid; } }
`
