import { statSync, writeFileSync } from 'node:fs'
import { arch, hostname, platform, release } from 'node:os'
import { basename, join } from 'node:path'
import { asLine, NO_TRUST, type StatedProvenance } from '@kitseal/kit/internal'
import { measureFiles } from '@kitseal/kit/internal/node'
import { type Finding, isBlocking, recognisedLines } from '../findings-text.ts'
import { watchOutputs, askVersion, type Collected, runCollector, secretArguments } from '../run-collector.ts'
import { command, type Shown } from '../command-line.ts'
import { packedFiles } from '../gather-evidence.ts'
import { InputError } from '../input-error.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { tempFolder } from '../scratch-folder.ts'
import { API_KEY_OPTION, callService, SERVICE_NOTE, SERVICE_OPTIONS } from '../service-call.ts'
import { shellQuote, EXIT, type Terminal, writeLines } from '../terminal.ts'
import { check, resultText } from './check.ts'
import { ORDER_OPTIONS, orderProblems, readOrder, submit } from './submit.ts'

const HELP = `usage: kitseal run [OPTIONS] -- COMMAND…

Runs a collector, such as a scanner, and seals what it printed and wrote: stdout.txt, stderr.txt, the output files, and
run.json with the command line, exit code, duration and versions. All of it is checked for secrets first: if there is one,
in the command line too, nothing is uploaded. Then it goes on like "kitseal submit".

OPTIONS

${SERVICE_NOTE}

What the command prints is passed on. The lines of kitseal go to standard error; with --json, so does what the command
prints. The command does not see KITSEAL_API_KEY.

A failed run is evidence, too: it is sealed, and kitseal exits with the exit code of the command. Many scanners exit with
another code than 0 if they find something.

examples:
  kitseal run --output report.json -- trivy image --format json --output report.json shop:2.0
  kitseal run --name OpenSCAP --output arf.xml -- oscap xccdf eval --results-arf arf.xml --profile standard ssg.xml

exit codes: that of the command, if its run was sealed or --dry-run found no blocker; otherwise 1 a blocker, FAIL, or the
command failed with --require-success; 2 wrong usage, the command cannot be run or the service cannot be reached; 3 the kit is
intact, but its sender is not confirmed; 4 the service refused the call; 130 interrupted`

/** `kitseal run`. */
export const run = command('run', HELP, {
  options: {
    name: 'NAME  what the collector is called (default: the name of the program)',
    output:
      'PATH…  a file or folder that the command writes; files in it that are new or changed are sealed; can be repeated',
    env: 'NAME,NAME…  variables of the environment to record, with their values; no others are recorded; can be repeated',
    'ask-version': 'run "COMMAND --version" first and record the line that it prints',
    host: 'record the name and operating system of this machine',
    'require-success': 'seal nothing if the command fails',
    'dry-run': 'run and check, but upload nothing',
    ...ORDER_OPTIONS,
    ...SERVICE_OPTIONS,
  },
  read: (given) => {
    const { positionals: line, value, values, has, json, reject } = given
    reject(
      line.length === 0 && 'no command given. Pass it after --',
      has('api-key') && API_KEY_OPTION,
      ...orderProblems(given),
    )
    const plan: Plan = {
      name: value('name') ?? basename(line[0] ?? ''),
      line,
      outputs: values('output'),
      env: values('env').flatMap((names) => names.split(',')),
      asksVersion: has('ask-version'),
      recordsHost: has('host'),
    }
    return async (terminal) => {
      using interrupt = interruptSignal()
      // For what the command prints. Others cannot read it.
      using scratch = tempFolder('run')
      try {
        const order = await readOrder(given, plan.name, terminal)
        const { file, exitCode, stated } = await collect(plan, scratch.path, json, terminal, interrupt.signal)
        if (exitCode !== 0)
          writeLines(terminal.stderr, [`kitseal run: The command failed with exit code ${exitCode}.`])
        if (exitCode !== 0 && has('require-success')) return result({ status: 'FAIL' }, exitCode, EXIT.fail)
        const provenance = { ...stated, ...order.provenance }
        const statements = { accept: order.accept, confirmed: order.confirm, provenance }
        const checked = await check([file], undefined, statements, { ...NO_TRUST, ...order.keys })
        const { recognised } = checked
        const findings = [...(await commandFindings(plan, order.accept)), ...checked.findings]
        const isPass = !findings.some(isBlocking)
        if (!isPass || has('dry-run')) {
          const status = isPass ? 'PASS' : 'FAIL'
          const code = isPass ? exitCode : EXIT.fail
          const text = [...recognisedLines(recognised, terminal), ...resultText([file], findings, terminal)]
          return result({ status, findings, recognised }, exitCode, code, text)
        }
        const setup = { command: 'run', url: value('url'), json }
        const toSubmit = {
          ...order,
          provenance,
          files: [file],
          ci: { summary: undefined, outputs: undefined },
        }
        const done = await callService(terminal, setup, () => toSubmit, submit)
        if (typeof done === 'number') return done
        return result(done.json as object, exitCode, done.exitCode ?? exitCode, done.out)
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
        writeLines(terminal.stderr, ['kitseal run: interrupted. Nothing was uploaded.'])
        return error.exitCode
      }
    }
  },
})

/** Standard output is the command's. */
function result(
  json: object,
  commandExitCode: number,
  exitCode: number,
  err: readonly string[] = ['Nothing was uploaded.'],
): Shown {
  return { json: { ...json, command_exit_code: commandExitCode }, err, exitCode }
}

interface Plan {
  readonly name: string
  readonly line: readonly string[]
  readonly outputs: readonly string[]
  readonly env: readonly string[]
  readonly asksVersion: boolean
  readonly recordsHost: boolean
}

/** Runs the command, and packs what it printed and wrote. */
async function collect(plan: Plan, folder: string, json: boolean, terminal: Terminal, signal: AbortSignal) {
  const { line, outputs, name } = plan
  const { env, stderr } = terminal
  const version = plan.asksVersion ? askVersion(line[0] ?? '', env) : undefined
  const changedFiles = watchOutputs(outputs)
  const stdout = json ? stderr : terminal.stdout
  const collected = await runCollector({ command: line, env, stdout, stderr, folder, signal })
  const written = changedFiles()
  if (outputs.length > 0 && written.length === 0)
    writeLines(stderr, ['kitseal run: the command wrote no new file to --output.'])
  const record = await runRecord(plan, version, collected, terminal)
  writeFileSync(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  const printed = [
    ...(collected.stdoutBytes > 0 ? ['stdout.txt'] : []),
    ...(collected.stderrBytes > 0 ? ['stderr.txt'] : []),
  ]
  const measured = await measureFiles(
    [
      ...[RECORD, ...printed].map((path) => withSize({ path, diskPath: join(folder, path) })),
      ...written.map(({ path, diskPath }) => withSize({ path: `output/${path}`, diskPath })),
    ],
    ['crc32'],
  )
  if (!measured.ok) throw new InputError(...measured.problems)
  const folderName = name.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'run'
  const file = packedFiles(folderName, measured.files, [], folderName)
  return { file, exitCode: collected.exitCode, stated: statedBy(record) }
}

const RECORD = 'run.json'

const withSize = (file: { readonly path: string; readonly diskPath: string }) => ({
  ...file,
  sizeBytes: statSync(file.diskPath).size,
})

/** What kitseal saw of the run. Nobody else has checked it. */
async function runRecord(plan: Plan, version: string | undefined, collected: Collected, { env }: Terminal) {
  const { default: own } = await import('../../package.json', { with: { type: 'json' } })
  const { exitCode, endedBy, startedAt, finishedAt, stdoutBytes, stderrBytes } = collected
  return {
    run_version: 'kitseal-run-1',
    collector: { name: plan.name, version: version ?? null },
    command: plan.line,
    command_line: plan.line.map(shellQuote).join(' '),
    exit_code: exitCode,
    ended_by_signal: endedBy,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    duration_ms: finishedAt.getTime() - startedAt.getTime(),
    stdout_bytes: stdoutBytes,
    stderr_bytes: stderrBytes,
    outputs: plan.outputs,
    environment: Object.fromEntries(plan.env.map((variable) => [variable, env[variable] ?? null])),
    ...(plan.recordsHost
      ? { host: { name: hostname(), platform: platform(), release: release(), arch: arch() } }
      : {}),
    kitseal_version: own.version,
  }
}

/** The part of the record that the provenance report of the kit has, as stated. */
function statedBy(record: Awaited<ReturnType<typeof runRecord>>): StatedProvenance {
  const { collector, command_line, finished_at } = record
  const version = asLine(collector.version ?? '', 100)
  const line = asLine(command_line, 2000)
  return {
    collector: {
      name: asLine(collector.name, 200) ?? 'unknown',
      ...(version === undefined ? {} : { version }),
      ...(line === undefined ? {} : { command: line }),
    },
    collected_at: finished_at,
  }
}

/** Passwords in the command line have no shape that could be found in a file. */
async function commandFindings({ line }: Plan, accept: readonly string[]): Promise<readonly Finding[]> {
  const { findingRecord } = await import('@kitseal/examiner/node')
  const found = secretArguments(line)
  const detail = `Command line: ${found.join(', ')}`
  return found.length === 0
    ? []
    : [findingRecord(RECORD, { code: 'possible_secret', detail }, new Set(accept))]
}
