import { Interrupted } from './interruption.ts'
import type { Terminal } from './terminal.ts'

/** The part of stdin that a prompt needs. */
export interface Keyboard {
  readonly isTTY?: boolean
  setRawMode?(raw: boolean): unknown
  setEncoding(encoding: 'utf8'): unknown
  on(event: 'data', listener: (text: string) => void): unknown
  off(event: 'data', listener: (text: string) => void): unknown
  resume(): unknown
  pause(): unknown
}

type WithKeyboard = Terminal & { readonly stdin?: Keyboard }

/** Prompts for a secret without echoing it. Undefined without a terminal, or if nothing was typed. */
export const promptSecret = (
  terminal: WithKeyboard,
  question: string,
  signal?: AbortSignal,
): Promise<string | undefined> => prompt(terminal, question, signal, false)

/** Asks a yes/no question; anything but yes is no. Undefined without a terminal. */
export async function confirm(terminal: WithKeyboard, question: string): Promise<boolean | undefined> {
  if (!canPrompt(terminal)) return undefined
  return /^y(es)?$/i.test((await prompt(terminal, question, undefined, true)) ?? '')
}

const canPrompt = ({ stdin, stderr }: WithKeyboard): boolean =>
  stdin?.isTTY === true && stdin.setRawMode !== undefined && stderr.isTTY === true

async function prompt(
  terminal: WithKeyboard,
  question: string,
  signal: AbortSignal | undefined,
  isEchoed: boolean,
): Promise<string | undefined> {
  const { stdin, stderr } = terminal
  if (!canPrompt(terminal) || stdin?.setRawMode === undefined) return undefined
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  try {
    const typed = await readLine(stdin, signal)
    if (isEchoed) stderr.write(typed ?? '')
    return typed
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

function readLine(stdin: Keyboard, signal?: AbortSignal): Promise<string | undefined> {
  let typed = ''
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stdin.off('data', read)
      signal?.removeEventListener('abort', stop)
      settle()
    }
    const stop = (): void => end(() => reject(signal?.reason as Error))
    const read = (text: string): void => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed.trim() || undefined))
        // In raw mode, Ctrl-C and Ctrl-D arrive as characters.
        if (character === '\u0003') return end(() => reject(new Interrupted('SIGINT')))
        if (character === '\u0004') return end(() => resolve(undefined))
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1)
        else if (character === '\u0015') typed = ''
        else if (character >= ' ') typed += character
      }
    }
    stdin.on('data', read)
    signal?.addEventListener('abort', stop, { once: true })
    stdin.resume()
  })
}
