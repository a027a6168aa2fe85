/** The binder: a human-readable PDF summary of a kit. */
export { loadGlyphs } from './fonts/typefaces.ts'
export { type BinderFile, type BinderFinding, makeBinder } from './make-binder.ts'
