/** The rate per second of something that is counted, over the last `windowMs`. */
export function rateMeter(windowMs: number) {
  let samples: readonly { readonly time: number; readonly done: number }[] = []
  const start = (time: number, done: number): void => {
    samples = [{ time, done }]
  }
  return {
    start,
    rate(time: number, done: number): number {
      // A retry starts over.
      if (done < (samples.at(-1)?.done ?? 0)) start(time, done)
      const recent = samples.filter((sample) => sample.time > time - windowMs)
      samples = [...(recent.length > 0 ? recent : samples.slice(-1)), { time, done }]
      const first = samples[0]!
      return time === first.time ? 0 : ((done - first.done) / (time - first.time)) * 1000
    },
  }
}
