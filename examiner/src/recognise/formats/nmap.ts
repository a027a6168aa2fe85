import { oneOrMany, Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

export const NMAP: Recogniser = {
  format: 'Nmap',
  mark: /<nmaprun\b/,
  reads: 'xml',
  start() {
    const counts = new Tally('hosts up', 'open ports')
    const hosts = new Set<string>()
    let [version, time]: (string | undefined)[] = []
    let [isHost, isFinished] = [false, false]
    return {
      open(path, { attribute }) {
        if (!path.includes('/')) {
          if (path !== 'nmaprun' || attribute('scanner') !== 'nmap') throw new UnexpectedShape()
          version = attribute('version')
          time = attribute('start')
        }
        if (path === 'nmaprun/host') isHost = true
        if (path === 'nmaprun/host/status') counts.add(`hosts ${attribute('state') === 'up' ? 'up' : 'down'}`)
        if (path === 'nmaprun/host/address' && isHost) {
          hosts.add(attribute('addr') ?? '')
          isHost = false
        }
        if (path === 'nmaprun/host/ports/port/state' && attribute('state') === 'open')
          counts.add('open ports')
        if (path === 'nmaprun/runstats') isFinished = true
      },
      // A scan that was stopped has no statistics.
      end: () =>
        isFinished ? { tool: 'Nmap', version, target: oneOrMany('host', hosts), time, counts } : undefined,
    }
  },
}
