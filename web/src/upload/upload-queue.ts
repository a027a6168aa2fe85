import { type Finding, isBlocking } from '../core/findings.ts'
import { randomKey } from '../core/fetch-json.ts'
import { checkInWorker, type RunningCheck, mendedPlace } from './check-in-worker.ts'
import type { ChosenFile } from './check-worker.ts'
import type { Checked, CheckOrder } from './check-worker.ts'
import { type Batch, Cancelled, sendFiles, type Sending, submitDraft, type UploadPlace } from './send.ts'

/** As plans and requests have them. */
type Limits = Readonly<Record<'unpacked_files' | 'unpacked_limit_bytes' | 'unpacked_ratio', number>>

/** Where chosen files go: a submission, a draft, or the item of a request or a program. */
export interface UploadTarget {
  readonly place: UploadPlace
  /** Sends each file as soon as it is checked, and forgets it once it arrived. Otherwise, files wait for `submit`. */
  readonly isDirect: boolean
  /** How files are checked. Undefined while something of it loads. */
  readonly order: (Omit<CheckOrder, 'now' | 'limits'> & { readonly limits: Limits }) | undefined
  /** The submission, which is created with the first file that is sent. */
  open(): Promise<string>
  /** After each request that arrived. */
  onSent?(): Promise<unknown>
  errorText(error: unknown): string
}

export type UploadState =
  | { readonly is: 'checking' }
  | { readonly is: 'ready' }
  /** It is not sent as it is. */
  | { readonly is: 'blocked'; readonly findings: readonly Finding[] }
  | { readonly is: 'waiting' }
  | { readonly is: 'sending'; readonly sentBytes: number }
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly message: string }

/** A chosen file, and how far it is. */
export interface Upload extends ChosenFile {
  readonly state: UploadState
}

export type CheckState =
  | { readonly is: 'nothing' }
  | { readonly is: 'running'; readonly readBytes: number }
  | ({ readonly is: 'done'; readonly blockers: readonly Finding[] } & Checked)
  /** The check could not run; the service checks after upload. */
  | { readonly is: 'failed'; readonly message: string }

export interface QueueState {
  readonly files: readonly Upload[]
  readonly check: CheckState
  /** The codes that the user acknowledges. */
  readonly accepted: ReadonlySet<string>
  /** The work of `submit`. Stopped: what arrived is kept. */
  readonly submitting:
    | { readonly is: 'idle' }
    | { readonly is: 'sending' }
    | { readonly is: 'stopped'; readonly message: string | undefined }
    | { readonly is: 'done' }
}

type Transport = Extract<UploadState, { readonly is: 'waiting' | 'sending' | 'sent' | 'failed' }>

/** The parts that tests replace. */
const PARTS = { check: checkInWorker, send: sendFiles, submit: submitDraft }

const ONE_BY_ONE_UP_TO = 50
const BATCH_FILES = 50
const BATCH_BYTES = 4 * 1024 * 1024

/** Checks chosen files in this browser, and sends them. What has a problem is held back. */
export class UploadQueue {
  #target: UploadTarget
  readonly #parts: typeof PARTS
  readonly #listeners = new Set<() => void>()
  #files = new Map<string, ChosenFile>()
  #transport = new Map<string, Transport>()
  #checked = new Set<string>()
  /** Sent in spite of their findings, by name. */
  #passed = new Set<string>()
  #check: CheckState = { is: 'nothing' }
  #running = new Set<RunningCheck>()
  #accepted: ReadonlySet<string> = new Set()
  #submitting: QueueState['submitting'] = { is: 'idle' }
  #sending: Sending | undefined
  /** The service may have a batch already, with only the response lost: it keeps its files and its key. */
  #tried: readonly Batch[] = []
  #pumping: Promise<void> | undefined
  #isCancelled = false
  #state: QueueState | undefined

  constructor(target: UploadTarget, parts: Partial<typeof PARTS> = {}) {
    this.#target = target
    this.#parts = { ...PARTS, ...parts }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): QueueState => (this.#state ??= this.#describe())

  /** Other rules check the files again. */
  setTarget(target: UploadTarget): void {
    const isOther = target.order !== this.#target.order
    this.#target = target
    if (isOther && !target.isDirect) this.#checkAll()
  }

  /**
   * A file replaces the one with its name. One without a folder also replaces the one file of its name in a folder that has
   * a problem: it is the mended file, dropped alone.
   */
  add(chosen: readonly ChosenFile[]): void {
    const held = this.read()
      .files.filter(({ state }) => state.is === 'blocked' || state.is === 'failed')
      .map(({ name }) => name)
    const added = chosen.map((one) => ({ ...one, name: mendedPlace(one.name, held) }))
    for (const one of added) {
      if (this.#isFixed(one.name)) continue
      this.#forget(one.name)
      this.#files.set(one.name, one)
    }
    if (this.#target.isDirect) this.#checkSome(added)
    else this.#checkAll()
  }

  /** What arrived, or is on its way, stays. */
  remove(isRemoved: (name: string) => boolean): void {
    for (const name of this.#files.keys()) if (isRemoved(name) && !this.#isFixed(name)) this.#forget(name)
    if (this.#target.isDirect) this.#changed()
    else this.#checkAll()
  }

  accept(codes: ReadonlySet<string>): void {
    this.#accepted = codes
    this.#changed()
  }

  /** Sends a file that was held back, or tries again. */
  send(name: string): void {
    const state = this.read().files.find((one) => one.name === name)?.state
    if (state?.is === 'blocked') {
      this.#passed.add(name)
      this.#accepted = new Set([...this.#accepted, ...state.findings.map(({ code }) => code)])
    }
    this.#transport.set(name, { is: 'waiting' })
    void this.#pump()
  }

  /** Whether a file was sent although something was found in it. */
  readonly isPassed = (name: string): boolean => this.#passed.has(name)

  /** Sends what is left, and submits. The submission, or undefined if it was stopped; called again, it continues. */
  async submit(): Promise<string | undefined> {
    // A double click.
    if (this.#submitting.is === 'sending') return undefined
    this.#submitting = { is: 'sending' }
    this.#isCancelled = false
    for (const name of this.#files.keys())
      if (this.#transport.get(name)?.is !== 'sent') this.#transport.set(name, { is: 'waiting' })
    this.#changed()
    try {
      const id = await this.#target.open()
      await this.#pump()
      this.#sending = this.#parts.submit(id, this.#accepted, this.#target.place)
      await this.#sending.sent
      this.#submitting = { is: 'done' }
      this.#changed()
      return id
    } catch (error) {
      const message = error instanceof Cancelled ? undefined : this.#target.errorText(error)
      this.#submitting = { is: 'stopped', message }
      this.#changed()
      return undefined
    }
  }

  /** Stops what is on its way. */
  readonly stop = (): void => {
    this.#isCancelled = true
    this.#sending?.cancel()
    for (const check of this.#running) check.stop()
  }

  #describe(): QueueState {
    const findings = this.#check.is === 'done' ? this.#check.findings : []
    const acknowledged = this.#target.isDirect
      ? findings
      : Array.from(findings, (one) => ({
          ...one,
          // A danger cannot be acknowledged.
          acknowledged: one.class !== 'danger' && this.#accepted.has(one.code),
        }))
    const blockers = acknowledged.filter(isBlocking)
    const byFile = Map.groupBy(blockers, ({ path }) =>
      path === null ? undefined : fileOf(unescaped(path), this.#files),
    )
    const files = Array.from(this.#files.values(), ({ name, file }) => ({
      name,
      file,
      state: this.#stateOf(name, byFile),
    })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const check =
      this.#check.is === 'done' ? { ...this.#check, findings: acknowledged, blockers } : this.#check
    return { files, check, accepted: this.#accepted, submitting: this.#submitting }
  }

  #stateOf(name: string, byFile: ReadonlyMap<string | undefined, readonly Finding[]>): UploadState {
    const findings = byFile.get(name)
    return (
      this.#transport.get(name) ??
      (findings !== undefined
        ? { is: 'blocked', findings }
        : { is: this.#checked.has(name) ? 'ready' : 'checking' })
    )
  }

  #changed(): void {
    this.#state = undefined
    for (const listener of this.#listeners) listener()
  }

  #isFixed(name: string): boolean {
    const is = this.#transport.get(name)?.is
    return is === 'sent' || is === 'sending'
  }

  #forget(name: string): void {
    this.#files.delete(name)
    this.#transport.delete(name)
    this.#checked.delete(name)
    this.#passed.delete(name)
    if (this.#check.is === 'done' && this.#target.isDirect)
      this.#check = {
        ...this.#check,
        findings: this.#check.findings.filter(({ path }) => !isAbout(path, name)),
      }
  }

  /** All files at once: the rules for a whole submission are checked too. */
  #checkAll(): void {
    for (const check of this.#running) check.stop()
    this.#running.clear()
    this.#checked.clear()
    // A possible secret was acknowledged in the files that there were then.
    this.#accepted = new Set([...this.#accepted].filter((code) => code !== 'possible_secret'))
    const files = [...this.#files.values()]
    this.#check = files.length === 0 ? { is: 'nothing' } : { is: 'running', readBytes: 0 }
    this.#changed()
    if (files.length > 0) void this.#run(files)
  }

  /** Only what is new: the others are gone. */
  #checkSome(files: readonly ChosenFile[]): void {
    this.#changed()
    void this.#run(files).then(() => {
      for (const { name } of files)
        if (this.read().files.find((one) => one.name === name)?.state.is === 'ready') this.send(name)
    })
  }

  async #run(files: readonly ChosenFile[]): Promise<void> {
    const { order, isDirect } = this.#target
    if (order === undefined) return
    const limits = {
      entries: order.limits.unpacked_files,
      unpackedBytes: order.limits.unpacked_limit_bytes,
      ratio: order.limits.unpacked_ratio,
    }
    const now = new Date().toISOString()
    const running = this.#parts.check(files, { ...order, limits, now }, (readBytes) => {
      if (isDirect || !this.#running.has(running)) return
      this.#check = { is: 'running', readBytes }
      this.#changed()
    })
    this.#running.add(running)
    const result = await running.done.then(
      ({ findings, items }): CheckState => ({
        is: 'done',
        items,
        findings: [...(isDirect && this.#check.is === 'done' ? this.#check.findings : []), ...findings],
        blockers: [],
      }),
      (error: unknown): CheckState =>
        // Direct files are checked by the service after the upload.
        isDirect ? this.#check : { is: 'failed', message: String(error) },
    )
    if (!this.#running.delete(running)) return
    this.#check = result
    for (const { name } of files) this.#checked.add(name)
    this.#changed()
  }

  #pump(): Promise<void> {
    this.#changed()
    this.#pumping ??= this.#sendAll().finally(() => (this.#pumping = undefined))
    return this.#pumping
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const batch = this.#nextBatch()
      if (batch === undefined) return
      try {
        await this.#sendBatch(batch)
      } catch (error) {
        const isCancelled = error instanceof Cancelled
        const message = this.#target.errorText(error)
        for (const { name } of batch.files)
          if (isCancelled) this.#transport.delete(name)
          else this.#transport.set(name, { is: 'failed', message })
        this.#changed()
        if (this.#target.isDirect) continue
        // The others wait for another try.
        for (const [name, { is }] of this.#transport) if (is === 'waiting') this.#transport.delete(name)
        throw error
      }
    }
  }

  async #sendBatch(batch: Batch): Promise<void> {
    if (this.#isCancelled && !this.#target.isDirect) throw new Cancelled()
    const progress = (sentBytes: number): void => {
      let start = 0
      for (const { name, file } of batch.files) {
        const own = Math.max(0, Math.min(file.size, sentBytes - start))
        this.#transport.set(name, { is: 'sending', sentBytes: own })
        start += file.size
      }
      this.#changed()
    }
    progress(0)
    const id = await this.#target.open()
    this.#sending = this.#parts.send(id, batch, progress, this.#target.place)
    await this.#sending.sent
    this.#tried = this.#tried.filter((one) => one !== batch)
    if (!this.#target.isDirect) for (const { name } of batch.files) this.#transport.set(name, { is: 'sent' })
    this.#changed()
    await this.#target.onSent?.()
    if (!this.#target.isDirect) return
    for (const { name } of batch.files) {
      const isPassed = this.#passed.has(name)
      this.#forget(name)
      if (isPassed) this.#passed.add(name)
    }
    this.#changed()
  }

  #nextBatch(): Batch | undefined {
    const waiting = [...this.#files.values()].filter(
      ({ name }) => this.#transport.get(name)?.is === 'waiting',
    )
    if (waiting.length === 0) return undefined
    const left = new Set(waiting)
    const again = this.#tried.find(({ files }) => files.every((one) => left.has(one)))
    if (again !== undefined) return again
    const isMany = this.#files.size > ONE_BY_ONE_UP_TO
    const batch = { files: isMany ? nextBatch(waiting) : waiting.slice(0, 1), key: randomKey() }
    this.#tried = [...this.#tried, batch]
    return batch
  }
}

/** Many files are sent in batches, to save round trips. */
function nextBatch(waiting: readonly ChosenFile[]): readonly ChosenFile[] {
  let bytes = 0
  const end = waiting.slice(0, BATCH_FILES).findIndex(({ file }) => (bytes += file.size) > BATCH_BYTES)
  return waiting.slice(0, end === -1 ? BATCH_FILES : Math.max(1, end))
}

/** A finding may be about an entry inside a file. */
export const isAbout = (path: string | null, name: string): boolean =>
  path === name || path?.startsWith(`${name}/`) === true || path?.startsWith(`${name}:`) === true

/** The file itself, or the one that the path continues after `/` or `:`. */
function fileOf(path: string, names: ReadonlyMap<string, unknown>): string | undefined {
  for (
    let end = path.length;
    end > 0;
    end = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf(':', end - 1))
  ) {
    const name = path.slice(0, end)
    if (names.has(name)) return name
  }
  return undefined
}

/** The rules escape invisible characters in paths. Valid names contain no backslash. */
const ESCAPED = /\\u(?:\{([0-9a-f]{5,6})\}|([0-9a-f]{4}))/g

const unescaped = (path: string): string =>
  path.replaceAll(ESCAPED, (_, long?: string, short?: string) =>
    String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16)),
  )
