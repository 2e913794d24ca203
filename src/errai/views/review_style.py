"""The look of the page of a review, light or dark as the reader likes it, down to the width of a phone."""

from __future__ import annotations

from errai.figure import CALL, FOLD, RAISE

STYLE = f"""
:root {{ --ink:#1c2126; --soft:#5a636b; --page:#f6f5f2; --plate:#fff; --line:#dcdad4; --bar:#b3352b;
  --club:#1c7c3f; --diamond:#1f5fb0; --heart:#c02a22; --spade:#16191d; --card:#fff; --out:#e4e2dc; --faint:#6b7278;
  --own:#e8a200; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink:#e6e8ea; --soft:#a3abb3; --page:#14171a; --plate:#1d2125;
  --line:#343a40; --bar:#d9594e; --club:#4cc37a; --diamond:#6fa8ee; --heart:#f2776d; --spade:#e6e8ea; --card:#2a2f35;
  --out:#262b30; --faint:#98a0a8; --own:#ffc53d; }} }}
* {{ box-sizing:border-box; }}
body {{ margin:0; background:var(--page); color:var(--ink); font-variant-numeric:tabular-nums;
  font:16px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif; }}
header, main, footer {{ max-width:62rem; margin:0 auto; padding:0 1rem; }}
header {{ padding-top:1.5rem; }}
h1 {{ margin:0; font-size:1.8rem; overflow-wrap:anywhere; }}
header p, footer, .where, small {{ color:var(--soft); }}
header p {{ margin:.2rem 0 0; }}
h2 {{ margin:2rem 0 .7rem; font-size:1.2rem; }}
h3 {{ margin:0 0 .7rem; font-size:1.05rem; }}
footer {{ padding-top:1.5rem; padding-bottom:2rem; font-size:.85rem; overflow-wrap:anywhere; }}
.facts {{ display:grid; grid-template-columns:repeat(auto-fit,minmax(15rem,1fr)); gap:.8rem; margin:1.2rem 0 0; }}
.facts div, .leaks table, article {{ background:var(--plate); border:1px solid var(--line); border-radius:.6rem; }}
.facts div {{ padding:.8rem 1rem; }}
.facts dt {{ color:var(--soft); font-size:.85rem; }}
.facts dd {{ margin:0; }}
.facts b {{ font-size:1.3rem; }}
.facts span {{ display:block; color:var(--soft); font-size:.8rem; }}
.leaks {{ display:grid; grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr)); gap:.8rem;
  align-items:start; }}
table {{ border-collapse:collapse; }}
.leaks table {{ width:100%; border-collapse:separate; border-spacing:0; padding:.4rem .8rem .7rem; }}
.leaks th {{ white-space:nowrap; }}
.leaks caption {{ text-align:left; font-weight:600; padding:.2rem .1rem; }}
th {{ text-align:left; font-weight:400; }}
thead th {{ color:var(--soft); font-size:.78rem; }}
td, th {{ padding:.18rem .3rem; }}
.n {{ text-align:right; white-space:nowrap; }}
.bar {{ display:block; height:4px; margin-left:auto; border-radius:2px; background:var(--bar); }}
article {{ padding:1rem; margin:0 0 1rem; }}
.cost {{ color:var(--heart); font-weight:600; }}
.spot {{ display:grid; grid-template-columns:auto 1fr auto; gap:.5rem 1.5rem; align-items:start; }}
.spot dl {{ display:grid; grid-template-columns:auto 1fr; gap:.4rem .7rem; margin:0; align-items:center; }}
.spot dt {{ color:var(--soft); font-size:.8rem; }}
.spot dd {{ margin:0; }}
.spot p {{ margin:0; }}
.spot > *, article > * {{ min-width:0; }}
.card {{ display:inline-block; min-width:2.3rem; margin:0 .2rem .1rem 0; padding:.25rem .3rem; text-align:center;
  font-weight:700; background:var(--card); border:1px solid var(--line); border-radius:.35rem; }}
.c {{ color:var(--club); }} .d {{ color:var(--diamond); }} .h {{ color:var(--heart); }} .s {{ color:var(--spade); }}
.actions tbody tr {{ border-top:1px solid var(--line); }}
.actions .taken th {{ font-weight:700; }}
.key {{ display:inline-block; width:.75em; height:.75em; margin-right:.4em; border-radius:2px; }}
.key.r {{ background:{RAISE}; }} .key.c {{ background:{CALL}; }} .key.f {{ background:{FOLD}; }}
.key.out {{ background:var(--out); border:1px solid var(--line); }}
.keys {{ display:flex; flex-wrap:wrap; gap:.2rem 1.1rem; margin:.4rem 0 0; font-size:.85rem; }}
details {{ margin-top:.8rem; }}
summary {{ cursor:pointer; color:var(--soft); font-size:.9rem; }}
.scroll {{ overflow-x:auto; margin-top:.4rem; }}
.grid {{ width:100%; min-width:34rem; table-layout:fixed; border-collapse:separate; border-spacing:2px; }}
.grid td {{ height:2.35rem; padding:0; text-align:center; font-size:.74rem; font-weight:700; line-height:1.15;
  border-radius:3px; }}
.grid small {{ display:block; font-weight:400; font-size:.68rem; color:inherit; }}
.in {{ color:#fff; }}
.out {{ background:var(--out); color:var(--faint); font-weight:400; }}
.own {{ outline:3px solid var(--own); outline-offset:-1px; }}
.where {{ margin:.7rem 0 0; font-size:.78rem; overflow-wrap:anywhere; }}
@media (max-width:44rem) {{ .spot {{ grid-template-columns:1fr; }} .actions {{ width:100%; }} }}
@media print {{ article {{ break-inside:avoid; }} }}
"""
