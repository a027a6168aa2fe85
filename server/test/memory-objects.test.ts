import { memoryObjects } from './memory-objects.ts'
import { describeObjectStore } from './object-store-contract.ts'

describeObjectStore('memory', async () => ({
  objects: memoryObjects(),
  [Symbol.asyncDispose]: async () => {},
}))
