import { CLOUDTRAIL } from './formats/cloudtrail.ts'
import { CYCLONEDX_JSON, CYCLONEDX_XML } from './formats/cyclonedx.ts'
import { GITLEAKS } from './formats/gitleaks.ts'
import { GRYPE } from './formats/grype.ts'
import { DSSE, IN_TOTO } from './formats/in-toto.ts'
import { JUNIT } from './formats/junit.ts'
import { NESSUS } from './formats/nessus.ts'
import { NMAP } from './formats/nmap.ts'
import { OSCAL_RESULTS_JSON, OSCAL_RESULTS_XML } from './formats/oscal-results.ts'
import { PROWLER_OCSF } from './formats/prowler-ocsf.ts'
import { SARIF } from './formats/sarif.ts'
import { SPDX_2_JSON, SPDX_2_TEXT, SPDX_3 } from './formats/spdx.ts'
import { TRIVY } from './formats/trivy.ts'
import { ARF, XCCDF } from './formats/xccdf.ts'
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
