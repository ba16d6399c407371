const LIGHT = `
  --bg: #fbfbf9; --card: #ffffff; --sunken: #f3f3ef; --line: #e4e4de; --text: #20242b; --muted: #4f5763; --faint: #6b7380;
  --info: #2a5bc7; --good: #23865a; --warn: #c07f0c; --bad: #c6333f; --ask: #7a4cd0; --soft: #c3cad6; --plain: #98a1af; --frozen: #4aa3c7;
  --good-text: #17734a; --bad-text: #b52a37; --on-bar: #20242b; --shadow: 0 1px 2px rgb(20 24 32 / 5%), 0 6px 20px rgb(20 24 32 / 6%);`;

const DARK = `
  --bg: #14161a; --card: #1b1e23; --sunken: #111317; --line: #2b3038; --text: #e3e6eb; --muted: #b1b8c4; --faint: #8f98a6;
  --info: #7fa6f8; --good: #57b884; --warn: #dca648; --bad: #ee7a81; --ask: #b696fb; --soft: #465062; --plain: #77818f; --frozen: #5fb6d9;
  --good-text: #76cf9c; --bad-text: #f28b90; --on-bar: #f2f4f7; --shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 10px 28px rgb(0 0 0 / 30%);`;

const TONES = ['plain', 'soft', 'info', 'good', 'warn', 'bad', 'ask', 'frozen'];

/** The page's style. Light and dark follow the system until the button decides otherwise; paper is light. */
export const PAGE_STYLE = `
:root { color-scheme: light; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; ${DARK} } }
:root[data-theme=dark] { color-scheme: dark; ${DARK} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; }
code, .events ol, .detail pre, .figure { font-family: ui-monospace, SFMono-Regular, 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 12.5px; }
main { max-width: 1240px; margin: 0 auto; padding: 40px 28px 80px; }
h2 { font-size: 19px; letter-spacing: -0.01em; margin: 0 0 4px; }
h3 { font-size: 15px; margin: 0 0 8px; }
section { margin-top: 44px; }
.hint { color: var(--faint); margin: 0 0 14px; }
.shapes { position: absolute; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 1px 9px; cursor: pointer; }
button:hover { background: var(--sunken); }
:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; }

.brand { color: var(--faint); font-size: 13px; display: flex; gap: 6px; align-items: center; }
.brand span { color: var(--text); font-weight: 650; }
.brand .theme { margin-left: auto; }
.verdict { font-size: 30px; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; margin: 14px 0 22px; text-wrap: balance; }
.verdict.good::before, .verdict.bad::before { content: ''; display: inline-block; width: 14px; height: 14px; border-radius: 50%; margin-right: 12px; vertical-align: 3px; background: var(--good); }
.verdict.bad::before { background: var(--bad); }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 18px; min-width: 132px; box-shadow: var(--shadow); }
.tile strong { display: block; font-size: 24px; font-weight: 620; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.tile span { color: var(--faint); font-size: 13px; }
.tile.good strong, .verdict.good, .figure.good, span.tick-good { color: var(--good-text); }
.tile.bad strong, .verdict.bad, .figure.bad, b.bad { color: var(--bad-text); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 3px 18px; margin: 22px 0 0; color: var(--muted); }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; overflow-wrap: anywhere; }

table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; }
thead th { color: var(--faint); font-size: 12.5px; padding: 4px 10px; border-bottom: 1px solid var(--line); }
td, tbody th { padding: 6px 10px; vertical-align: top; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
small { display: block; color: var(--faint); font-size: 12.5px; font-weight: 400; }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.faint { color: var(--faint); }
.place { background: var(--sunken); border: 1px solid var(--line); border-radius: 99px; padding: 0 9px; font-size: 12.5px; }
.missed > * { background: color-mix(in srgb, var(--bad) 9%, transparent); --faint: var(--muted); }

.distributions tbody > tr > * { vertical-align: middle; padding-top: 0; padding-bottom: 0; }
.distributions th[scope=row] { width: 210px; }
.distributions .plot { width: 58%; padding-left: 0; padding-right: 0; }
.plot svg { display: block; overflow: visible; }
.plot svg svg { overflow: hidden; }
.grid { stroke: var(--line); }
.base { stroke: var(--plain); stroke-opacity: .5; }
.density { fill: var(--info); fill-opacity: .22; }
.sample { fill: var(--info); fill-opacity: .55; }
.quantile { stroke-width: 1.6; }
.p50 { stroke: var(--good); } circle.p50 { fill: var(--good); }
.p99 { stroke: var(--bad); } circle.p99 { fill: var(--bad); }
.aim { stroke: var(--warn); stroke-width: 1.6; stroke-dasharray: 4 4; }
.key::before { content: ''; display: inline-block; width: 14px; height: 0; border-top: 2px solid; margin-right: 6px; vertical-align: 4px; }
.key { margin-right: 14px; } .key.p50::before { border-color: var(--good); } .key.p99::before { border-color: var(--bad); } .aim-key::before { border-color: var(--warn); border-top-style: dashed; }
.tick { font-size: 11px; fill: var(--faint); text-anchor: middle; }
.axis { padding-top: 2px; }
.counts th[scope=row] { width: 260px; white-space: nowrap; } .counts td, .counts th { border: 0 !important; padding: 3px 10px; } .counts .figure { width: 80px; }
.count { fill: var(--warn); fill-opacity: .7; }
.seeds { display: flex; flex-wrap: wrap; gap: 2px; }
.seeds i { width: 11px; height: 11px; border-radius: 2px; background: color-mix(in srgb, var(--good) 22%, var(--sunken)); }
.seeds .good-1 { background: color-mix(in srgb, var(--good) 40%, var(--sunken)); } .seeds .good-2 { background: color-mix(in srgb, var(--good) 60%, var(--sunken)); }
.seeds .good-3 { background: color-mix(in srgb, var(--good) 80%, var(--sunken)); } .seeds .good-4 { background: var(--good); } .seeds .bad { background: var(--bad); }

.failure { border-top: 1px solid var(--line); padding-top: 18px; margin-top: 18px; }
.violations { padding-left: 26px; margin: 0 0 12px; } .violations small { display: inline; }
.violations b { color: var(--bad-text); }
.chip { font-size: 12px; padding: 0 7px; border-radius: 99px; color: var(--muted); }
.command { display: flex; gap: 8px; align-items: center; margin: 0 0 12px; } .command code { background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; overflow-wrap: anywhere; }
details summary { cursor: pointer; color: var(--muted); } .schedule { margin: 6px 0 14px; }

.recording { margin: 12px 0 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); overflow: hidden; }
.tools { display: flex; flex-wrap: wrap; gap: 8px 20px; padding: 9px 14px; border-bottom: 1px solid var(--line); align-items: center; }
.legend { color: var(--muted); font-size: 12.5px; display: flex; flex-wrap: wrap; gap: 4px 14px; }
.swatch::before { content: ''; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; background: var(--tone); vertical-align: -1px; }
.zoom { margin-left: auto; display: flex; gap: 6px; align-items: center; } .zoom output { min-width: 30px; text-align: center; color: var(--faint); font-size: 12.5px; }
.chart { display: flex; }
.names { flex: none; border-right: 1px solid var(--line); background: var(--card); padding-left: 14px; width: 190px; }
.names .group { fill: var(--text); font-weight: 620; font-size: 12.5px; } .names .lane { fill: var(--faint); font-size: 12px; text-anchor: end; }
.scroll { flex: 1; overflow-x: auto; padding: 0 26px 0 10px; scrollbar-width: thin; }
.plane { display: block; overflow: visible; }
.ticks { display: none; } .plane .zoom-1 { display: inline; }
${[2, 4, 8, 16, 32, 64].map((zoom) => `[data-scale='${String(zoom)}'] .zoom-1 { display: none; } [data-scale='${String(zoom)}'] .zoom-${String(zoom)} { display: inline; }`).join('\n')}
.divider { stroke: var(--line); }
${TONES.map((tone) => `.${tone} { --tone: var(--${tone}); }`).join(' ')}
.bar { fill: var(--tone); fill-opacity: .42; cursor: pointer; } .bar.soft { fill-opacity: .5; } .bar.open { fill-opacity: .32; }
.bar.frozen { fill-opacity: .75; } .bar.warn { fill-opacity: .6; }
.in-bar { font-size: 10.5px; fill: var(--on-bar); pointer-events: none; }
.mark { fill: var(--tone); cursor: pointer; } use[href='#mark-cross'] { stroke: var(--tone); stroke-width: 1.8; fill: none; }
.bar:hover { fill-opacity: .85; } .mark:hover { stroke: var(--text); stroke-width: 1.4; }
.guilty { stroke: var(--bad); stroke-width: 2; }
.selected { stroke: var(--text); stroke-width: 2; }
line.phase { stroke: var(--plain); stroke-dasharray: 2 3; } text.late { text-anchor: end; } text.phase { font-size: 10.5px; fill: var(--faint); }
.violation line { stroke: var(--bad); stroke-width: 1.5; } .violation circle { fill: var(--bad); } .violation text { fill: #fff; font-size: 10.5px; font-weight: 700; text-anchor: middle; }
.cursor { stroke: var(--text); stroke-opacity: .55; pointer-events: none; }
.beside { display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line); }
.events { border-right: 1px solid var(--line); min-width: 0; }
.filter { display: flex; gap: 10px; align-items: center; padding: 8px 14px; color: var(--muted); border-bottom: 1px solid var(--line); }
.filter input { flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; } .filter output { color: var(--faint); font-size: 12.5px; white-space: nowrap; }
.events ol { list-style: none; margin: 0; padding: 4px 0; height: 300px; overflow-y: auto; font-size: 12px; }
.events li { display: flex; gap: 10px; padding: 1px 14px; cursor: pointer; white-space: nowrap; } .events li:hover { background: var(--sunken); }
.events li > :first-child { color: var(--faint); min-width: 66px; text-align: right; font-variant-numeric: tabular-nums; } .events li > :last-child { overflow: hidden; text-overflow: ellipsis; }
.events li::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 2px; background: var(--tone); align-self: center; }
.events li.guilty, .events li[aria-current] { --faint: var(--muted); }
.events li.guilty { background: color-mix(in srgb, var(--bad) 13%, transparent); } .events li[aria-current] { background: color-mix(in srgb, var(--info) 20%, transparent); }
.detail { padding: 10px 14px; height: 344px; overflow: auto; min-width: 0; } .detail pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; } .detail h4 { margin: 0 0 6px; font-size: 13px; overflow-wrap: anywhere; }
#tip { position: fixed; z-index: 9; max-width: 520px; padding: 5px 10px; border-radius: 7px; background: var(--text); color: var(--bg); font-size: 12.5px; pointer-events: none; overflow-wrap: anywhere; } #tip[hidden] { display: none; }
@media (max-width: 760px) { main { padding: 20px 14px 60px; } .beside { grid-template-columns: 1fr; } .events { border-right: 0; } .names { width: 110px; } .names .lane { font-size: 10px; } .verdict { font-size: 23px; } .distributions .plot { width: 46%; } }
@media print {
  :root, :root[data-theme=dark], :root:not([data-theme=light]) { color-scheme: light; ${LIGHT} --shadow: none; }
  body { background: #fff; font-size: 11px; } main { max-width: none; padding: 0; } * { print-color-adjust: exact; }
  .theme, .zoom, .beside, button, #tip { display: none; } .recording, .tile, tr { break-inside: avoid; } section { margin-top: 24px; } h2, h3 { break-after: avoid; } .scroll { overflow: hidden; }
}
`;
