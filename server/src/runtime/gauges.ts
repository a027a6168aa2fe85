import { Gauge, type Registry } from 'prom-client'

/** A number, or one for each value of the label. Undefined: it is not known now, and what was read last stays. */
type Reading = number | ReadonlyMap<string, number> | undefined

/** A metric that is read when it is asked for. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Reading | Promise<Reading>,
  label?: string,
): void {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async (): Promise<void> => {
      const reading = await read()
      if (reading === undefined) return
      if (typeof reading === 'number') return made.set(reading)
      made.reset()
      for (const [value, number] of reading) made.set({ [label ?? '']: value }, number)
    },
  })
}

/** Metrics that are asked for together share one reading; undefined while it fails. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined
  return () =>
    (reading ??= read()
      .catch(() => undefined)
      .finally(() => setImmediate(() => (reading = undefined))))
}
