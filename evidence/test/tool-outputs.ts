// Outputs of tools: the members and values that their formats have, about things that do not exist.

const prowlerFinding = (status_code: string, status = 'New') => ({
  message: 'A check of an example.',
  metadata: {
    event_code: 'iam_example',
    product: { name: 'Prowler', uid: 'prowler', vendor_name: 'Prowler', version: '5.9.0' },
    profiles: ['cloud', 'datetime'],
    version: '1.4.0',
  },
  status_code,
  status,
  class_uid: 2004,
  time: 1794463811,
  time_dt: '2026-11-12T06:10:11.000000',
  cloud: { account: { name: '', type: 'AWS Account', uid: '123456789012' }, provider: 'aws' },
  resources: [{ uid: 'arn:aws:iam::123456789012:root' }],
})

export const prowlerOcsf = (): string =>
  JSON.stringify([
    prowlerFinding('PASS'),
    prowlerFinding('PASS'),
    prowlerFinding('FAIL'),
    prowlerFinding('FAIL', 'Suppressed'),
    prowlerFinding('MANUAL'),
  ])
