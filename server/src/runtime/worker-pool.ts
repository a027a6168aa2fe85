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
  /** Functions that what they are given may crash. A worker runs one of them at a time, and one other. */
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

interface Task {
  readonly name: string
  readonly caller: string
  readonly input: unknown
  readonly answer: Ask
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** One of the two tasks that a worker can run while one of them waits for a disk or an answer. */
export type Lane = 'risky' | 'other'

interface Slot {
  readonly thread: Worker
  /** Counted up by the event loop of the worker. */
  readonly beats: Int32Array
  readonly running: Map<Lane, Running>
  /** Runs this task and no other, because the worker ended that it had before. */
  readonly alone: Task | undefined
}

interface Running {
  readonly task: Task
  /** The worker is done with it. */
  settle(): void
}

export function startPool<F extends Functions>(options: PoolOptions): WorkerPool<F> {
  const { file, workerData, size, risky, log, limits = LIMITS } = options
  const slots = new Set<Slot>()
  const waiting: Readonly<Record<Lane, Map<string, Task[]>>> = { risky: new Map(), other: new Map() }
  /** When each caller had its last turn. */
  const turns = new Map<string, number>()
  let lastTurn = 0
  let isStopped = false

  const laneOf = ({ name }: Task): Lane => (risky.includes(name) ? 'risky' : 'other')

  function assign(lane: Lane): void {
    while (waiting[lane].size > 0) {
      const slot = freeSlot(lane)
      if (slot === undefined) return
      begin(slot, takeNext(lane))
    }
  }

  function freeSlot(lane: Lane): Slot | undefined {
    const free = [...slots].filter(({ running, alone }) => !running.has(lane) && alone === undefined)
    const idle = free.find(({ running }) => running.size === 0)
    return idle ?? (slots.size < size ? addSlot() : free[0])
  }

  const runningOf = (lane: Lane, caller: string): number =>
    [...slots].filter(({ running }) => running.get(lane)?.task.caller === caller).length

  /** Of the callers with the fewest running tasks, the one whose last turn is longest ago. */
  function takeNext(lane: Lane): Task {
    const turn = (caller: string): number => turns.get(caller) ?? 0
    const running = (caller: string): number => runningOf(lane, caller)
    const [next = ''] = [...waiting[lane].keys()].toSorted(
      (a, b) => running(a) - running(b) || turn(a) - turn(b),
    )
    const [task, ...rest] = waiting[lane].get(next) ?? []
    waiting[lane].delete(next)
    if (rest.length > 0) waiting[lane].set(next, rest)
    for (const caller of turns.keys())
      if (!waiting[lane].has(caller) && running(caller) === 0) turns.delete(caller)
    turns.set(next, (lastTurn += 1))
    return task!
  }

  /** If one caller holds all workers, another one does not wait for it: one more worker starts, and stays. */
  function compete(lane: Lane, task: Task): void {
    const isWaiting = waiting[lane].get(task.caller)?.includes(task) === true
    const [first, ...others] = new Set([...slots].map(({ running }) => running.get(lane)?.task.caller))
    const isHeld = others.length === 0 && first !== undefined && first !== task.caller
    if (isWaiting && isHeld && slots.size === size && !isStopped) begin(addSlot(), takeNext(lane))
  }

  function begin(slot: Slot, task: Task): void {
    const lane = laneOf(task)
    const watch = watchdog(slot, limits, (why) => {
      log.error({}, `a worker is terminated: ${why}`)
      end(slot, crashed(slot, 'timeout'), task)
    })
    slot.running.set(lane, {
      task,
      settle() {
        watch[Symbol.dispose]()
        slot.running.delete(lane)
        if (slots.has(slot) && slot.running.size === 0) slot.thread.unref()
      },
    })
    slot.thread.ref()
    const { name, input } = task
    slot.thread.postMessage({ is: 'task', lane, name, input, watched: isWatched() } satisfies ToWorker)
  }

  function receive(slot: Slot, message: FromWorker): void {
    if (message.is === 'durable') return reportDurable(message.what)
    const { lane } = message
    const running = slot.running.get(lane)
    if (running === undefined) return
    const { task } = running
    if (message.is === 'question') {
      task.answer(message.question).then(
        (answer) => slot.thread.postMessage({ is: 'answer', lane, answer } satisfies ToWorker),
        // The function cannot go on without the answer, and its worker may hold what belongs to it.
        (error: unknown) => end(slot, error, task),
      )
      return
    }
    running.settle()
    if (message.is === 'result') task.resolve(message.result)
    else task.reject(fromPlain(message.error))
    if (slot.alone !== undefined) end(slot, undefined)
    assign('risky')
    assign('other')
  }

  /** A worker that never ran says nothing about its task. */
  const crashed = (slot: Slot, reason: CrashCause, cause?: unknown): Error =>
    Atomics.load(slot.beats, 0) === 0
      ? new NoWorker('a worker could not start', { cause })
      : new WorkerCrashed(reason, cause)

  /** Once, however the worker ends. If it had two tasks, only the one that may have ended it fails; the other begins again, alone. */
  function end(slot: Slot, error: unknown, cause?: Task): void {
    if (!slots.delete(slot)) return
    void slot.thread.terminate()
    const [first, second] = [slot.running.get('risky'), slot.running.get('other')].flatMap(
      (each) => each ?? [],
    )
    const failed = second !== undefined && second.task === cause ? second : first
    for (const running of [first, second]) {
      if (running === undefined) continue
      running.settle()
      if (running === failed || isStopped) running.task.reject(error)
      else begin(addSlot(running.task), running.task)
    }
    assign('risky')
    assign('other')
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
        const task: Task = { name, caller, input, answer, resolve, reject }
        const lane = laneOf(task)
        waiting[lane].set(caller, [...(waiting[lane].get(caller) ?? []), task])
        assign(lane)
        if (waiting[lane].has(caller)) setTimeout(() => compete(lane, task), limits.patienceMs).unref()
      })) as WorkerPool<F>['run'],
    async stop() {
      isStopped = true
      for (const lane of Object.values(waiting)) {
        const never = [...lane.values()].flat()
        lane.clear()
        for (const { reject } of never) reject(stopping())
      }
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
function watchdog({ beats }: Slot, limits: PoolLimits, onHang: (why: string) => void): Disposable {
  const step = Math.min(1000, limits.hangMs / 2)
  let [elapsedMs, silentMs, seen] = [0, 0, Atomics.load(beats, 0)]
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0)
    elapsedMs += step
    silentMs = now === seen ? silentMs + step : 0
    seen = now
    if (silentMs > limits.hangMs) onHang('it is stuck')
    else if (elapsedMs > limits.taskMs) onHang('it takes too long')
  }, step).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const causeOf = (error: unknown): CrashCause =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error'

export type ToWorker =
  | {
      readonly is: 'task'
      readonly lane: Lane
      readonly name: string
      readonly input: unknown
      readonly watched: boolean
    }
  | { readonly is: 'answer'; readonly lane: Lane; readonly answer: unknown }

export type FromWorker =
  | { readonly is: 'result'; readonly lane: Lane; readonly result: unknown }
  | { readonly is: 'error'; readonly lane: Lane; readonly error: PlainError }
  | { readonly is: 'question'; readonly lane: Lane; readonly question: unknown }
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
