import { ARF, OSCAL_RESULTS_JSON, OSCAL_RESULTS_XML, XCCDF } from './formats/assessments.ts'
import {
  CYCLONEDX_JSON,
  CYCLONEDX_XML,
  SPDX_2_JSON,
  SPDX_2_TEXT,
  SPDX_3,
} from './formats/bills-of-materials.ts'
import { CLOUDTRAIL } from './formats/cloudtrail.ts'
import { DSSE, IN_TOTO } from './formats/in-toto.ts'
import { GITLEAKS, GRYPE, PROWLER_OCSF, SARIF, TRIVY } from './formats/json-scanners.ts'
import { JUNIT, NESSUS, NMAP } from './formats/xml-scanners.ts'
import type { Recogniser } from './recogniser.ts'

/** The formats that are recognised. The first that reads a file names it. */
export const RECOGNISERS: readonly Recogniser[] = [
  PROWLER_OCSF,
  ARF,
  XCCDF,
  OSCAL_RESULTS_JSON,
  OSCAL_RESULTS_XML,
  CYCLONEDX_JSON,
  CYCLONEDX_XML,
  SPDX_2_JSON,
  SPDX_2_TEXT,
  SPDX_3,
  IN_TOTO,
  DSSE,
  SARIF,
  JUNIT,
  TRIVY,
  GRYPE,
  NESSUS,
  NMAP,
  CLOUDTRAIL,
  GITLEAKS,
]
