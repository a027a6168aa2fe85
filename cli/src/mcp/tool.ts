import { ApiError, NetworkError } from '@kitseal/client'
import { InputError } from '../input-error.ts'
import { type Answer, answerText } from './answer.ts'
import { type Arguments, type Parsed, parseArgumentsOf } from './arguments-of-tool.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly table: Arguments
  /** Whether it changes something in the workspace. */
  readonly changes: boolean
  readonly run: (given: unknown, signal: AbortSignal) => Promise<Answer>
}

export function tool<const Table extends Arguments>(
  name: string,
  told: Pick<Tool, 'title' | 'description'> & { readonly changes?: true },
  table: Table,
  run: (given: Parsed<Table>, signal: AbortSignal) => Promise<Answer>,
): Tool {
  const { title, description, changes = false } = told
  return {
    name,
    title,
    description,
    table,
    changes,
    run: async (given, signal) => run(parseArgumentsOf(table, given), signal),
  }
}

/** Runs a tool. What the caller can act on is a result, so that an assistant reads it. */
export async function runTool({ run }: Tool, given: unknown, signal: AbortSignal): Promise<object> {
  const answer = await run(given, signal).catch(failure)
  const { isError = false } = answer
  return { content: [{ type: 'text', text: answerText(answer) }], isError }
}

function failure(error: unknown): Answer {
  if (error instanceof InputError)
    return {
      said: 'The call was not carried out.',
      evidence: { problems: error.problems },
      list: 'problems',
      isError: true,
    }
  if (error instanceof ApiError) {
    const { status, code, message, requestId } = error
    return {
      said: 'The service refused the call.',
      evidence: { status, code, message, request_id: requestId },
      isError: true,
    }
  }
  if (error instanceof NetworkError)
    return {
      said: 'The service cannot be reached.',
      evidence: { message: error.message },
      isError: true,
    }
  throw error
}
