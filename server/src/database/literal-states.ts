import { type BinaryOperationNode, ColumnNode, type OperationNode, ReferenceNode, ValueNode } from 'kysely'

/** The columns that partial indexes are about: few values, all of them our own words. */
const STATES = new Set(['status', 'state', 'open_uploads', 'indexed', 'settled', 'quorum_met'])

/**
 * A comparison of a state with a value, with the value in the text of the statement. As a parameter it would keep PostgreSQL from
 * using a partial index, and SQLite would prepare the statement again for each run.
 */
export function literalState(node: BinaryOperationNode): BinaryOperationNode {
  const { leftOperand, rightOperand } = node
  if (!STATES.has(columnOf(leftOperand) ?? '') || !ValueNode.is(rightOperand)) return node
  const { value } = rightOperand
  const isPlain = Number.isSafeInteger(value) || (typeof value === 'string' && /^\w+$/.test(value))
  return isPlain ? { ...node, rightOperand: ValueNode.createImmediate(value) } : node
}

function columnOf(node: OperationNode): string | undefined {
  if (ReferenceNode.is(node)) return columnOf(node.column)
  return ColumnNode.is(node) ? node.column.name : undefined
}
