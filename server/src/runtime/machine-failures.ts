/** System errors that are not the caller's fault: disk full, broken or read-only, no permission, too many open files. */
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
