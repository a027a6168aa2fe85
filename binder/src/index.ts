/** The binder: a human-readable PDF summary of a kit. */
export {
  type BinderFile,
  type BinderFinding,
  type BinderItem,
  type BinderMaker,
  binderMaker,
} from './make-binder.ts'
