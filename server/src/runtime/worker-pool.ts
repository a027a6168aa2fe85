import { Worker } from 'node:worker_threads'
import { type Durable, isWatched, reportDurable } from './durable.ts'
import type { Log } from './logger.ts'

/** What a worker can do: each function takes and returns what can be copied between threads. */
export type Functions = Readonly<Record<string, (input: never, ask: Ask) => Promise<unknown>>>

/** Asks the thread that called the function, such as for a signature. */
export type Ask = (question: unknown) => Promise<unknown>

/** Why a worker ended before it answered. */
export type CrashCause = 'timeout' | 'memory' | 'error'

/** The function crashed its worker, hung, or needed too much memory. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
  readonly reason: CrashCause

  constructor(reason: CrashCause, cause?: unknown) {
    super(`the worker ended: ${reason}`, { cause })
    this.reason = reason
  }
}

/** The service stops, or a worker could not start: nothing is known about what it was given. */
export class NoWorker extends Error {
  override readonly name = 'NoWorker'
}

/** Threads that run functions which take long or may crash. They have no database and no keys. */
export interface WorkerPool<F extends Functions> {
  /** `caller` takes turns with others, and never holds the last worker for long while another one waits. */
  run<Name extends keyof F & string>(
    name: Name,
    caller: string,
    input: Parameters<F[Name]>[0],
    answer?: Ask,
  ): ReturnType<F[Name]>
  /** Ends the workers, whatever they do. */
  stop(): Promise<void>
}

export interface PoolOptions {
  /** The module that the threads run; it calls `serveWorker`. */
  readonly file: URL
  readonly workerData: unknown
  readonly size: number
  /** Functions that what they are given may crash. A worker runs one of them at a time, so that it is known which one ended it. */
  readonly risky: readonly string[]
  readonly log: Pick<Log, 'error'>
  readonly limits?: PoolLimits
}

export interface PoolLimits {
  readonly heapMegabytes: number
  /** A worker whose event loop stands still for this long is hung. */
  readonly hangMs: number
  /** A function that takes this long is hung. */
  readonly taskMs: number
  /** How long others wait before one caller that holds all workers gets competition. */
  readonly patienceMs: number
}

/** A gibibyte of evidence on a slow disk takes a fraction of half an hour. */
const LIMITS: PoolLimits = { heapMegabytes: 512, hangMs: 30_000, taskMs: 30 * 60_000, patienceMs: 250 }
const YOUNG_MB = 12
/** Of the functions that are not risky, so many run in a worker: while one waits for a disk or an answer, it runs another. */
const MOST_OTHERS = 3

interface Task {
  readonly id: number
  readonly name: string
  readonly isRisky: boolean
  readonly caller: string
  readonly input: unknown
  readonly answer: Ask
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Slot {
  readonly thread: Worker
  /** Counted up by the event loop of the worker. */
  readonly beats: Int32Array
  readonly running: Map<number, Running>
  /** Runs this task and no other, because the worker ended that it had before. */
  readonly alone: Task | undefined
}

interface Running {
  readonly task: Task
  readonly watch: Disposable
}

export function startPool<F extends Functions>(options: PoolOptions): WorkerPool<F> {
  const { file, workerData, size, risky, log, limits = LIMITS } = options
  const slots = new Set<Slot>()
  const waiting: Task[] = []
  /** When each caller had its last turn. */
  const turns = new Map<string, number>()
  let [lastTask, lastTurn, isStopped] = [0, 0, false]

  const runningIn = (slot: Slot, isRisky: boolean): readonly Task[] =>
    Array.from(slot.running.values(), ({ task }) => task).filter((task) => task.isRisky === isRisky)

  function assign(): void {
    for (const isRisky of [true, false])
      while (waiting.some((task) => task.isRisky === isRisky)) {
        const slot = freeSlot(isRisky)
        if (slot === undefined) break
        begin(slot, takeNext(isRisky))
      }
  }

  /** The one with the least to do. */
  function freeSlot(isRisky: boolean): Slot | undefined {
    const most = isRisky ? 1 : MOST_OTHERS
    const [least] = [...slots]
      .filter((slot) => slot.alone === undefined && runningIn(slot, isRisky).length < most)
      .toSorted((a, b) => a.running.size - b.running.size)
    return least?.running.size !== 0 && slots.size < size ? addSlot() : least
  }

  /** Of the callers with the fewest running tasks, the one whose last turn is longest ago. */
  function takeNext(isRisky: boolean): Task {
    const callers = [...slots].flatMap((slot) => runningIn(slot, isRisky)).map(({ caller }) => caller)
    const runningOf = ({ caller }: Task): number => callers.filter((each) => each === caller).length
    const turnOf = ({ caller }: Task): number => turns.get(caller) ?? 0
    const [next] = waiting
      .filter((task) => task.isRisky === isRisky)
      .toSorted((a, b) => runningOf(a) - runningOf(b) || turnOf(a) - turnOf(b))
    waiting.splice(waiting.indexOf(next!), 1)
    for (const caller of turns.keys())
      if (!callers.includes(caller) && !waiting.some((task) => task.caller === caller)) turns.delete(caller)
    turns.set(next!.caller, (lastTurn += 1))
    return next!
  }

  /** If one caller holds all workers, another one does not wait for it: one more worker starts, and stays. */
  function compete(task: Task): void {
    const callers = new Set(
      [...slots]
        .map((slot) => runningIn(slot, task.isRisky)[0]?.caller)
        .filter((caller) => caller !== undefined),
    )
    const isHeld = callers.size === 1 && !callers.has(task.caller)
    if (waiting.includes(task) && isHeld && slots.size === size && !isStopped)
      begin(addSlot(), takeNext(task.isRisky))
  }

  function begin(slot: Slot, task: Task): void {
    const watch = watchdog(slot, limits, (why, isOfTask) => {
      log.error({}, `a worker is terminated: ${why}`)
      end(slot, crashed(slot, 'timeout'), isOfTask ? task : undefined)
    })
    slot.running.set(task.id, { task, watch })
    slot.thread.ref()
    const { id, name, input } = task
    slot.thread.postMessage({ is: 'task', id, name, input, watched: isWatched() } satisfies ToWorker)
  }

  function settle(slot: Slot, { task, watch }: Running): void {
    watch[Symbol.dispose]()
    slot.running.delete(task.id)
    if (slots.has(slot) && slot.running.size === 0) slot.thread.unref()
  }

  function receive(slot: Slot, message: FromWorker): void {
    if (message.is === 'durable') return reportDurable(message.what)
    const { id } = message
    const running = slot.running.get(id)
    if (running === undefined) return
    const { task } = running
    if (message.is === 'question') {
      task.answer(message.question).then(
        (answer) => slot.thread.postMessage({ is: 'answer', id, answer } satisfies ToWorker),
        // The function cannot go on without the answer, and its worker may hold what belongs to it.
        (error: unknown) => end(slot, error, task),
      )
      return
    }
    settle(slot, running)
    if (message.is === 'result') task.resolve(message.result)
    else task.reject(fromPlain(message.error))
    if (slot.alone !== undefined) end(slot, undefined)
    assign()
  }

  /** A worker that never ran says nothing about its task. */
  const crashed = (slot: Slot, reason: CrashCause, cause?: unknown): Error =>
    Atomics.load(slot.beats, 0) === 0
      ? new NoWorker('a worker could not start', { cause })
      : new WorkerCrashed(reason, cause)

  /** Once, however the worker ends. The task that may have ended it fails; the others begin again, each alone. */
  function end(slot: Slot, error: unknown, cause?: Task): void {
    if (!slots.delete(slot)) return
    void slot.thread.terminate()
    const all = [...slot.running.values()]
    const suspect = cause ?? runningIn(slot, true)[0] ?? (all.length === 1 ? all[0]?.task : undefined)
    for (const running of all) {
      settle(slot, running)
      if (running.task === suspect || isStopped) running.task.reject(error)
      else begin(addSlot(running.task), running.task)
    }
    assign()
  }

  function addSlot(alone?: Task): Slot {
    const beats = new Int32Array(new SharedArrayBuffer(4))
    const { heapMegabytes } = limits
    const thread = new Worker(file, {
      workerData: { ...(workerData as object), beats },
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const slot: Slot = { thread, beats, running: new Map(), alone }
    slots.add(slot)
    thread.on('message', (message: FromWorker) => receive(slot, message))
    thread.on('error', (error) => {
      if (!isStopped) log.error({ err: error }, 'a worker crashed')
      end(slot, crashed(slot, causeOf(error), error))
    })
    thread.on('exit', () => end(slot, crashed(slot, 'error')))
    return slot
  }

  return {
    run: ((name: string, caller: string, input: unknown, answer: Ask = noAnswer) =>
      new Promise((resolve, reject) => {
        if (isStopped) throw stopping()
        const isRisky = risky.includes(name)
        const task: Task = { id: (lastTask += 1), name, isRisky, caller, input, answer, resolve, reject }
        waiting.push(task)
        assign()
        if (waiting.includes(task)) setTimeout(() => compete(task), limits.patienceMs).unref()
      })) as WorkerPool<F>['run'],
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(stopping())
      const threads = [...slots].map(({ thread }) => thread)
      for (const slot of slots) end(slot, stopping())
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}

const stopping = (): NoWorker => new NoWorker('the service is stopping')

const noAnswer: Ask = () => Promise.reject(new Error('nobody answers'))

/** The same without threads, for tests that set the clock. */
export function poolOfThisThread<F extends Functions>(functions: F): WorkerPool<F> {
  return {
    run: ((name: string, _caller: string, input: never, answer: Ask = noAnswer) =>
      functions[name]!(input, answer)) as WorkerPool<F>['run'],
    stop: async () => {},
  }
}

/** Counts ticks of a timer rather than clock time, so that a suspended machine does not cause a timeout. */
function watchdog(
  { beats }: Slot,
  limits: PoolLimits,
  onHang: (why: string, isOfTask: boolean) => void,
): Disposable {
  const step = Math.min(1000, limits.hangMs / 2)
  let [elapsedMs, silentMs, seen] = [0, 0, Atomics.load(beats, 0)]
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0)
    elapsedMs += step
    silentMs = now === seen ? silentMs + step : 0
    seen = now
    if (silentMs > limits.hangMs) onHang('it is stuck', false)
    else if (elapsedMs > limits.taskMs) onHang('it takes too long', true)
  }, step).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const causeOf = (error: unknown): CrashCause =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error'

export type ToWorker =
  | {
      readonly is: 'task'
      readonly id: number
      readonly name: string
      readonly input: unknown
      readonly watched: boolean
    }
  | { readonly is: 'answer'; readonly id: number; readonly answer: unknown }

export type FromWorker =
  | { readonly is: 'result'; readonly id: number; readonly result: unknown }
  | { readonly is: 'error'; readonly id: number; readonly error: PlainError }
  | { readonly is: 'question'; readonly id: number; readonly question: unknown }
  | { readonly is: 'durable'; readonly what: Durable }

/** An error as it passes between threads, which keep neither its class nor its code. */
export interface PlainError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: unknown
  readonly cause: PlainError | undefined
}

export function toPlain(thrown: unknown): PlainError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return { name, message, stack, code, cause: cause === undefined ? undefined : toPlain(cause) }
}

function fromPlain({ name, message, stack, code, cause }: PlainError): Error {
  const error = new Error(message, cause === undefined ? {} : { cause: fromPlain(cause) })
  return Object.assign(error, { name, stack, ...(code === undefined ? {} : { code }) })
}
