import { jsonValueIn } from '../json-values.ts'
import {
  elements,
  has,
  marked,
  member,
  oneOrMany,
  recordsIn,
  Tally,
  text,
  type Recogniser,
} from '../recogniser.ts'

/** A log file, events one by one, or what `aws cloudtrail lookup-events` prints. Its dates are those of the events, not of the export. */
export const CLOUDTRAIL: Recogniser = {
  format: 'AWS CloudTrail',
  mark: /"(?:Records|Events|eventVersion|CloudTrailEvent)"/,
  reads: 'json',
  read(values) {
    const events = recordsIn(values).flatMap(eventsIn)
    marked(
      events,
      (one) =>
        has(one, 'eventVersion', 'eventTime', 'userIdentity') &&
        /^[\w.-]+\.amazonaws\.com$/.test(String(member(one, 'eventSource'))),
    )
    const counts = new Tally('events', 'with an error')
    for (const event of events) {
      counts.add('events')
      if (has(event, 'errorCode')) counts.add('with an error')
    }
    const accounts = events.map(
      (one) => member(one, 'recipientAccountId') ?? member(one, 'userIdentity', 'accountId'),
    )
    return { tool: 'AWS CloudTrail', target: oneOrMany('account', accounts), counts }
  },
}

function eventsIn(log: unknown): readonly unknown[] {
  if (has(log, 'Records')) return elements(member(log, 'Records'))
  if (!has(log, 'Events')) return [log]
  return elements(member(log, 'Events')).map((one) => jsonValueIn(text(member(one, 'CloudTrailEvent'))))
}
