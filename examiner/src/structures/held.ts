/**
 * How a file is held by another, which decides what counts in it: a file of an archive, an attachment of a message or PDF, an
 * entry of a package such as an e-book, a part of an Office file, or an object that a double click in a document opens.
 */
export type Held = 'file' | 'attachment' | 'package' | 'part' | 'object'
