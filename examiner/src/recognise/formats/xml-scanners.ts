import { count, oneOrMany, Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

const ROOT = 'NessusClientData_v2'
const HOST = `${ROOT}/Report/ReportHost`
const SEVERITIES = { '4': 'critical', '3': 'high', '2': 'medium', '1': 'low', '0': 'info' }
/** `Nessus Scan Information`, whose output has the version. */
const SCAN_INFORMATION = '19506'

export const NESSUS: Recogniser = {
  format: 'Nessus',
  mark: /<NessusClientData_v2\b/,
  reads: 'xml',
  start() {
    const counts = new Tally('critical', 'high', 'medium', 'low', 'info')
    const hosts = new Set<string>()
    let [plugin, tag]: (string | undefined)[] = []
    let [version, time]: (string | undefined)[] = []
    return {
      open(path, { attribute }) {
        if (!path.includes('/') && path !== ROOT) throw new UnexpectedShape()
        if (path === HOST) hosts.add(attribute('name') ?? '')
        if (path === `${HOST}/HostProperties/tag`) tag = attribute('name')
        if (path === `${HOST}/ReportItem`) {
          plugin = attribute('pluginID')
          count(counts, SEVERITIES, attribute('severity'))
        }
      },
      text(path, text) {
        if (path === `${HOST}/HostProperties/tag` && tag === 'HOST_START_TIMESTAMP') time ??= text
        if (path === `${HOST}/ReportItem/plugin_output` && plugin === SCAN_INFORMATION)
          version ??= /^[ \t]*Nessus version : ([\w.]{1,20})/m.exec(text)?.[1]
      },
      end: () => ({ tool: 'Nessus', version, target: oneOrMany('host', hosts), time, counts }),
    }
  },
}

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

const RESULTS: Readonly<Record<string, string>> = { failure: 'failed', error: 'errors', skipped: 'skipped' }

/** The format names no tool. Suites are nested, so only the cases count. */
export const JUNIT: Recogniser = {
  format: 'JUnit',
  mark: /<testsuites?\b/,
  reads: 'xml',
  start() {
    const counts = new Tally('passed', 'failed')
    let result: string | undefined
    let time: string | undefined
    let target: string | undefined
    return {
      open(path, { uri, attribute }) {
        const at = path.lastIndexOf('/')
        const [parent, name] = [path.slice(path.lastIndexOf('/', at - 1) + 1, at), path.slice(at + 1)]
        if (at === -1) {
          if (!['testsuites', 'testsuite'].includes(name) || uri !== '') throw new UnexpectedShape()
          target = attribute('name')
        }
        if (name.startsWith('testsuite')) time ??= attribute('timestamp')
        if (name === 'testcase') result = 'passed'
        else if (parent === 'testcase') result = RESULTS[name] ?? result
      },
      close(path) {
        if (path.endsWith('/testcase')) counts.add(result ?? 'passed')
      },
      end: () => ({ target, time, counts }),
    }
  },
}
