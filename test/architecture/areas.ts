/**
 * The layers of server/src, from the bottom up. A file imports only its own area and areas in rows before its own. Files
 * directly in server/src are listed by name.
 */
export const AREAS: readonly (readonly string[])[] = [
  ['refusals'],
  ['runtime'],
  ['settings'],
  ['database'],
  ['objects'],
  ['http'],
  ['keys'],
  ['log'],
  ['audit'],
  ['deliveries'],
  ['access'],
  ['open-store'],
  ['kits'],
  ['context'],
  ['submissions'],
  ['sharing'],
  ['work'],
  ['maintenance'],
  ['site'],
  ['administration'],
  ['app', 'ready-checks', 'start-channels'],
  ['services'],
  ['welcome'],
  ['serve'],
  ['serve-command'],
  ['index', 'main'],
]
