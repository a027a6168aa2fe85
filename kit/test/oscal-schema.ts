/** The part of the OSCAL 1.1 model of assessment results that exports use, from the reference at pages.nist.gov/OSCAL. */
const closed = (required: object, optional: object = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
})
const list = (items: object) => ({ type: 'array', minItems: 1, items })

const text = { type: 'string', pattern: String.raw`^\S(.*\S)?$` }
const line = { type: 'string', pattern: String.raw`^[^\n]+$` }
const lines = { type: 'string', minLength: 1 }
const reference = { type: 'string', format: 'uri-reference' }
const uuid = {
  type: 'string',
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[45][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$',
}
const instant = { type: 'string', format: 'date-time', pattern: String.raw`(Z|[+-]\d{2}:\d{2})$` }

const observation = closed(
  {
    uuid,
    description: lines,
    methods: list({ ...text, enum: ['EXAMINE', 'INTERVIEW', 'TEST', 'UNKNOWN'] }),
    collected: instant,
  },
  { title: line, 'relevant-evidence': list(closed({ description: lines }, { href: reference })) },
)
const hash = closed({
  algorithm: { enum: ['SHA-256'] },
  value: { type: 'string', pattern: '^[0-9a-f]{64}$' },
})
const resource = closed(
  { uuid },
  { title: line, description: lines, rlinks: list(closed({ href: reference }, { hashes: list(hash) })) },
)

export const OSCAL_ASSESSMENT_RESULTS = closed({
  'assessment-results': closed(
    {
      uuid,
      metadata: closed(
        { title: line, 'last-modified': instant, version: text, 'oscal-version': { enum: ['1.1.2'] } },
        { remarks: lines },
      ),
      'import-ap': closed({ href: reference }),
      results: list(
        closed(
          {
            uuid,
            title: line,
            description: lines,
            start: instant,
            'reviewed-controls': closed({ 'control-selections': list(closed({}, { description: lines })) }),
          },
          { observations: list(observation) },
        ),
      ),
    },
    { 'back-matter': closed({}, { resources: list(resource) }) },
  ),
})
