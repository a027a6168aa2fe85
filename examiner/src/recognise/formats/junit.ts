import { Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

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
