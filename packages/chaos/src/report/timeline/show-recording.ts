import type { ChaosEvent } from '../../recording/chaos-event.js';
import type { Violation } from '../report-data.js';
import { embedJson, markup, revealHidden, type Markup } from '../markup.js';
import { describeEvent, detailOf } from './describe-event.js';
import { drawTimeline } from './draw-timeline.js';
import { faultLanes } from './fault-lanes.js';
import { modelLanes } from './model-lanes.js';
import { processLanes } from './process-lanes.js';
import { sessionLanes } from './session-lanes.js';
import { socketLanes, toneOfFrame } from './socket-lanes.js';

/** What a page holds of one recording; what comes after is left out, and the page says so. */
const MAX_EVENTS = 12_000;

const LEGEND: readonly (readonly [tone: string, meaning: string])[] = [
  ['good', 'ready, answered, completed'],
  ['soft', 'starting, connected, running'],
  ['info', 'messages and turns'],
  ['ask', 'approvals'],
  ['warn', 'faults, cancelled'],
  ['frozen', 'frozen'],
  ['bad', 'ended, refused, failed'],
];

const toneOf = (event: ChaosEvent): string => {
  if (event.kind === 'frame') return toneOfFrame(event.frame);
  if (event.kind === 'fault') return 'warn';
  if (event.kind === 'process') return event.what === 'exited' ? 'bad' : event.what === 'frozen' ? 'frozen' : 'good';
  if (event.kind === 'socket') return event.what === 'open' ? 'soft' : 'bad';
  return event.kind === 'decision' ? 'ask' : event.kind === 'effect' ? 'good' : 'plain';
};

/** A timeline with the list of its events; the events of violations are marked. `id` names it on the page. */
export function showRecording(id: string, recorded: readonly ChaosEvent[], violations: readonly Violation[] = []): Markup {
  const events = recorded.slice(0, MAX_EVENTS);
  const end = events.at(-1)?.at ?? 0;
  const groups = [faultLanes, processLanes, socketLanes, sessionLanes, modelLanes].map((lanes) => lanes(events, end));
  const guilty = new Map<number, number>();
  violations.forEach((violation, at) => {
    for (const index of violation.events) guilty.set(index, at + 1);
  });
  const rows = events.map((event, index) => [
    Math.round(event.at * 10) / 10,
    toneOf(event),
    revealHidden(describeEvent(event)),
    revealHidden(detailOf(event)),
    guilty.get(index) ?? 0,
  ]);
  return markup`<figure class="recording" data-recording="${id}">
    <div class="tools">
      <span class="legend">${LEGEND.map(([tone, meaning]) => markup`<span class="swatch ${tone}">${meaning}</span>`)}</span>
      <span class="zoom"
        ><button type="button" data-zoom="out" aria-label="Show more time">−</button><output>1×</output
        ><button type="button" data-zoom="in" aria-label="Show less time">+</button></span
      >
    </div>
    ${drawTimeline(groups, events, violations)}
    <div class="beside">
      <div class="events">
        <label class="filter"
          ><span>Events</span
          ><input type="search" placeholder="filter: tool_call, gateway-1, seq 12 …" autocomplete="off" /><output></output
        ></label>
        <ol tabindex="0" aria-label="Events"></ol>
      </div>
      <div class="detail" aria-live="polite">
        <p class="hint">Point at a mark to see what it was; click it to read the whole event. ← and → go to the one before and after.</p>
      </div>
    </div>
    ${recorded.length > events.length && markup`<p class="hint">The first ${events.length} of ${recorded.length} events are shown.</p>`}
    <script type="application/json" id="${id}">
      ${embedJson(rows)}
    </script>
  </figure>`;
}
