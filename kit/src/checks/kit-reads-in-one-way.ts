import { finding } from '../errors.ts'
import type { KitFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const kitReadsInOneWay: Check<KitFacts> = {
  check: 'kit_reads_in_one_way',
  guarantee: en.checks.kit_reads_in_one_way,
  run({ kit, receipt }) {
    if (kit === undefined) return notRun('the kit is not available')
    const findings = kit.problems.map((problem) => finding('kit_unreadable', problem))
    const { folderName } = kit
    if (receipt.ok && folderName !== undefined && folderName !== receipt.value.kit_id) {
      findings.push(
        finding(
          'kit_unreadable',
          `the folder is named ${folderName}, but the receipt is for ${receipt.value.kit_id}`,
        ),
      )
    }
    return outcome(findings)
  },
}
