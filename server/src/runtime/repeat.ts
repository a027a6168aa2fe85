import type { EventLog } from './logger.ts'

/** Something that concerns this process alone, again and again. */
export interface Repeated {
  /** Once more, now. */
  run(): Promise<void>
  stop(): Promise<void>
}

/** What all nodes share is a task instead. */
export function repeat(
  everyMs: number,
  what: string,
  work: () => Promise<unknown>,
  log: Pick<EventLog, 'error'>,
): Repeated {
  let running = Promise.resolve()
  const run = (): Promise<void> => {
    running = running.then(work).then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, `${what} failed`),
    )
    return running
  }
  void run()
  const timer = setInterval(run, everyMs).unref()
  return {
    run,
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
