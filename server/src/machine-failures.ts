/** What the system answers when a disk is full, broken or not ours to use, or files run out: no fault of what was asked. */
export const MACHINE_FAILURES = [
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
] as const
