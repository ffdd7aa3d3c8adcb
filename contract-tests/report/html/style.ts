/** After a change, put the new hash into ../html.ts: a test prints it. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #fafaf8; --card: #fff; --line: #dedfda; --text: #1c2024; --quiet: #59616b; --code: #f1f2ee; --link: #0a58a8;
  --broken: #b3261e; --broken-soft: #fdecea; --errored: #8a5300; --errored-soft: #fff3dc; --held: #17692f; --held-soft: #e6f4e9;
  --observed: #3558a8; --observed-soft: #e9eefb; --not-applicable: #59616b; --not-applicable-soft: #eeefec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131619; --card: #1a1e22; --line: #30363c; --text: #e4e7ea; --quiet: #9ba5af; --code: #101316; --link: #8abcff;
    --broken: #ff9a90; --broken-soft: #3f1d1b; --errored: #eab65a; --errored-soft: #382a10; --held: #7bd192; --held-soft: #17301e;
    --observed: #a3bdff; --observed-soft: #1e2843; --not-applicable: #9ba5af; --not-applicable-soft: #262b30;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre, .id { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code, .id { overflow-wrap: anywhere; }
h3 code, a code { font-size: .92em; }
pre { margin: 0; padding: .75rem .875rem; max-height: 26rem; overflow: auto; background: var(--code); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, p, ul, dl, dd { margin: 0; padding: 0; }
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
ul { list-style: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; padding: .5rem .75rem; background: var(--card); }

header { padding-top: 2.5rem; }
.kicker, .facts, footer { color: var(--quiet); font-size: .875rem; }
h1 { font-size: 1.125rem; font-weight: 600; margin-top: .25rem; overflow-wrap: anywhere; }
.headline { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.125rem); line-height: 1.2; font-weight: 650; letter-spacing: -.01em; margin: .375rem 0 .875rem; text-wrap: balance; }
.headline.broken { color: var(--broken); } .headline.held { color: var(--held); } .headline.errored { color: var(--errored); }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.tally { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: 1rem; }
.tally div { display: flex; flex-direction: row-reverse; align-items: baseline; gap: .4rem; }
.tally dd { font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.tally dt { color: var(--quiet); font-size: .875rem; }
.bar { display: block; width: 100%; height: .5rem; border-radius: 3px; background: var(--not-applicable-soft); }
header .bar { height: .625rem; margin-top: .75rem; }
.notice { margin-top: 1rem; padding: .625rem .875rem; border-left: 3px solid var(--errored); background: var(--errored-soft); overflow-wrap: anywhere; }

.broken { --tone: var(--broken); --soft: var(--broken-soft); }
.errored, .known-broken, .flaky, .tolerated { --tone: var(--errored); --soft: var(--errored-soft); }
.held { --tone: var(--held); --soft: var(--held-soft); }
.observed { --tone: var(--observed); --soft: var(--observed-soft); }
.not-applicable { --tone: var(--not-applicable); --soft: var(--not-applicable-soft); }
rect { fill: var(--tone); }
rect.not-applicable { opacity: .45; }
.zero { color: var(--quiet); }
dd:not(.zero), td.count:not(.zero) { color: var(--tone); }

.findings li { padding: .5rem 0; border-top: 1px solid var(--line); display: grid; gap: .125rem; }
.findings li:last-child { border-bottom: 1px solid var(--line); }
.findings p { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }

.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
td .badge { white-space: nowrap; }
th, td { padding: .4rem .625rem; text-align: left; font-weight: 400; border-bottom: 1px solid var(--line); vertical-align: baseline; }
thead th { color: var(--quiet); font-size: .8125rem; }
th:first-child, td:first-child { padding-left: 0; }
.count { text-align: right; font-variant-numeric: tabular-nums; width: 1%; white-space: nowrap; }
.share { width: 24%; min-width: 6rem; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }

.filters { display: grid; gap: .625rem; margin: 2.5rem 0 0; padding: .875rem 0; border-block: 1px solid var(--line); background: var(--page); }
.filters > div { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; }
.filters label.search { flex: 1 1 16rem; display: flex; gap: .5rem; align-items: center; font-size: .875rem; color: var(--quiet); }
input[type=search] { flex: 1; min-width: 0; font: inherit; font-size: 1rem; padding: .375rem .625rem; color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 6px; }
fieldset { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; border: 0; margin: 0; padding: 0; min-width: 0; }
legend { float: left; padding: 0; margin-right: .25rem; color: var(--quiet); font-size: .875rem; }
.chip { position: relative; display: inline-flex; align-items: center; gap: .3rem; padding: .15rem .625rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); font-size: .875rem; cursor: pointer; }
.chip input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.chip:has(:checked) { background: var(--text); border-color: var(--text); color: var(--page); }
.chip:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
.chip b { font-weight: 500; opacity: .75; font-variant-numeric: tabular-nums; }
button { font: inherit; font-size: .875rem; padding: .2rem .75rem; color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 6px; cursor: pointer; }
.filters output { color: var(--quiet); font-size: .875rem; margin-right: auto; }

.rule { background: var(--card); border: 1px solid var(--line); border-top-width: 0; }
h2 + .rule, h2 + .rule[hidden] ~ .rule { border-top-width: 1px; }
.rule.broken, .rule.tolerated { border-left: 4px solid var(--tone); }
.rule > summary { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr) auto; gap: .125rem .5rem; padding: .5625rem .875rem; cursor: pointer; list-style: none; }
.rule > summary::-webkit-details-marker { display: none; }
.rule > summary:hover { background: var(--not-applicable-soft); }
.rule[open] > summary { border-bottom: 1px solid var(--line); }
.mark { color: var(--tone); font-weight: 700; text-align: center; }
h3 { font-size: 1rem; font-weight: 500; line-height: 1.4; }
.name { grid-column: 2; display: flex; flex-wrap: wrap; gap: 0 .75rem; color: var(--quiet); font-size: .8125rem; align-items: baseline; }
.forms { display: flex; flex-wrap: wrap; justify-content: end; gap: .25rem; grid-column: 3; grid-row: 1 / 3; align-content: center; max-width: 24rem; }
.badge {  padding: 0 .5rem; border-radius: 4px; background: var(--soft); color: var(--tone); font-size: .8125rem; line-height: 1.6; font-weight: 500; overflow-wrap: anywhere; }
.verdict { padding: .75rem .875rem .875rem 2.625rem; display: grid; gap: .5rem; }
.verdict + .verdict { border-top: 1px dashed var(--line); }
h4 { font-size: .9375rem; font-weight: 600; display: flex; gap: .5rem; align-items: baseline; }
.detail { overflow-wrap: anywhere; }
.exchange > summary { cursor: pointer; overflow-wrap: anywhere; font-size: .875rem; color: var(--quiet); }
.exchange > summary code { color: var(--text); }
.exchange > div { display: grid; gap: .5rem; padding: .5rem 0 .25rem; }
.exchange h5 { font-size: .8125rem; font-weight: 600; color: var(--quiet); }
.pair { display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr); }
.pair > div { display: grid; gap: .25rem; align-content: start; }
.curl { position: relative; }
.curl pre { padding-right: 4.75rem; }
.curl button { position: absolute; top: .4375rem; right: .5rem; }
.more { color: var(--quiet); padding: 1.5rem 0; }
footer { padding-block: 3rem 2rem; }

@media (min-width: 56rem) {
  .pair { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
}
@media (min-width: 56rem) and (min-height: 40rem) {
  .filters { position: sticky; top: 0; z-index: 2; }
  .rule, section { scroll-margin-top: 12.5rem; }
}
@media (max-width: 40rem) {
  header, main, footer { padding-inline: .875rem; }
  header { padding-top: 1.5rem; }
  .share { display: none; }
  th, td { padding-inline: .375rem; }
  th.count { white-space: normal; }
  table { font-size: .875rem; }
  thead th { font-size: .75rem; }
  .rule > summary { padding-inline: .625rem; }
  .forms { grid-column: 2; grid-row: auto; justify-content: start; margin-top: .25rem; }
  .verdict { padding-inline: .75rem; }
}
@media (prefers-contrast: more) { :root { --line: currentColor; } }
@media (forced-colors: active) { .chip:has(:checked) { outline: 2px solid; } .bar { forced-color-adjust: none; } }
@media print {
  .filters, .curl button { display: none; }
  .rule { break-inside: avoid; }
  pre { max-height: none; }
}
`
