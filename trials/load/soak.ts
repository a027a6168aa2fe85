import { issued, startLoadService } from './load-service.ts'
import { residentMegabytes } from './probe.ts'

const CLIENTS = 3
const MAX_GROWTH = 1.1

/** Submits, downloads and verifies for the given time. Memory in the last third must not exceed that of the second. */
export async function soak(seconds: number): Promise<number> {
  await using at = await startLoadService()
  const started = performance.now()
  const elapsed = (): number => (performance.now() - started) / 1000
  let kits = 0
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; elapsed() < seconds; turn++) {
      const { kitId } = await issued(
        at.other,
        `evidence ${number} ${turn}\n`.repeat(1 + ((turn * 7919) % 20_000)),
      )
      const kit = await at.other.get(`/v1/kits/${kitId}/download`)
      const verdict = await at.other.post(
        '/v1/verify/receipt',
        (await at.other.get(`/v1/kits/${kitId}/receipt`)).bytes.toString(),
      )
      if (verdict.json['status'] !== 'PASS' || kit.bytes.length < 1000)
        throw new Error(`${kitId} fails verification`)
      kits++
    }
  }
  const samples: { readonly at: number; readonly megabytes: number }[] = []
  const sampling = setInterval(
    () => samples.push({ at: elapsed(), megabytes: residentMegabytes(at.service.pid) }),
    Math.min(1000, seconds * 10),
  )
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  clearInterval(sampling)
  const third = (number: number): number => {
    const part = samples.filter((sample) => Math.min(2, Math.floor((sample.at / seconds) * 3)) === number)
    return part.reduce((sum, { megabytes }) => sum + megabytes, 0) / Math.max(1, part.length)
  }
  const [first, second, last] = [third(0), third(1), third(2)]
  const holds = last <= second * MAX_GROWTH
  console.log(
    `soak: ${kits} kits issued, downloaded and verified in ${Math.round(elapsed())} s; memory in thirds ${[first, second, last].map((value) => `${Math.round(value)} MiB`).join(', ')}: ${holds ? 'flat' : 'NOT FLAT'}`,
  )
  return holds ? 0 : 1
}
