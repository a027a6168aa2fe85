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
