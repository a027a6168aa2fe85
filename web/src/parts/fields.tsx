import { type ChangeEvent, type FormEvent, type ReactNode, useId, useState } from 'react'
import { type Below, known } from '../core/texts.ts'
import { useFirstRows } from './list.tsx'

export interface Option {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

type Named<Values, Value> = {
  [Name in keyof Values]-?: Values[Name] extends Value ? Name & string : never
}[keyof Values]

interface Common {
  /** Otherwise the message `nameHint`, if there is one. */
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  readonly maxLength?: number
  readonly autoComplete?: string
  readonly min?: number
  readonly max?: number
  /** Of an area. */
  readonly rows?: number
  /** Offered while someone types. */
  readonly suggestions?: readonly string[]
}

type Of<Values, Name extends string> =
  | {
      readonly is?: 'text' | 'email' | 'password' | 'url' | 'date' | 'number' | 'area'
      readonly name: Name & Named<Values, string>
    }
  /** One of them: `choice` has all of them in view. */
  | {
      readonly is: 'select' | 'choice'
      readonly name: Name & Named<Values, string>
      readonly options: readonly Option[]
    }
  | { readonly is: 'tick'; readonly name: Name & Named<Values, boolean> }
  /** Any number of them. */
  | {
      readonly is: 'ticks'
      readonly name: Name & Named<Values, readonly string[]>
      readonly options: readonly Option[]
    }

/** One input of a form, by the value that it changes. Its label is the message of that name, if it has no other. */
export type Field<Values, Group extends string> = Common &
  (
    | (Of<Values, Below<Group>> & { readonly label?: string })
    | (Of<Values, string> & { readonly label: string })
  )

export type FieldList<Values, Group extends string> = readonly (Field<Values, Group> | false | undefined)[]

export interface FieldsProps<Values, Group extends string> {
  /** The group of messages that has the labels, hints (`nameHint`) and examples (`nameExample`). */
  readonly texts: Group
  /** Left out where something does not apply: `false` is no field. */
  readonly fields: FieldList<Values, Group>
  readonly values: Values
  set(changed: Partial<Values>): void
  readonly isDisabled?: boolean
  /** Side by side where there is room. */
  readonly isPaired?: boolean
}

/** The inputs of a form, each with its label, hint and error. */
export function Fields<Values, Group extends string>(props: FieldsProps<Values, Group>) {
  const { texts, fields, values, set, isDisabled = false, isPaired = false } = props
  return (
    <div className={isPaired ? 'fields two' : 'fields'}>
      {fields.map((field) => {
        if (!field) return null
        const text = `${texts}.${field.name}`
        return (
          <OneField
            key={field.name}
            field={{ hint: known(`${text}Hint`), isDisabled, ...field }}
            label={field.label ?? known(text) ?? text}
            example={known(`${text}Example`)}
            value={values[field.name]}
            onChange={(value) => set({ [field.name]: value } as Partial<Values>)}
          />
        )
      })}
    </div>
  )
}

interface OneProps {
  readonly field: Common & { readonly is?: string; readonly options?: readonly Option[] }
  readonly label: string
  readonly example: string | undefined
  readonly value: unknown
  onChange(value: unknown): void
}

function OneField(props: OneProps) {
  const { field, label, value, onChange } = props
  const { is, hint, error, isDisabled } = field
  const id = useId()
  const attributes = {
    id,
    disabled: isDisabled,
    'aria-describedby': hint == null && error === undefined ? undefined : `${id}-more`,
    'aria-invalid': error === undefined ? undefined : true,
  }
  const more = (
    <span id={`${id}-more`}>
      {hint != null && <span className="field-hint">{hint}</span>}
      {error !== undefined && <span className="field-error">{error}</span>}
    </span>
  )
  if (is === 'ticks' || is === 'choice')
    return (
      <fieldset className="field" disabled={isDisabled} aria-describedby={attributes['aria-describedby']}>
        <legend>{label}</legend>
        <Ticks {...props} name={id} />
        {more}
      </fieldset>
    )
  return (
    <div className="field">
      {is === 'tick' ? (
        <Tick label={label} isChecked={value === true} onChange={onChange} attributes={attributes} />
      ) : (
        <>
          <label htmlFor={id}>
            {label}
            {field.isRequired === true && <span aria-hidden="true"> *</span>}
          </label>
          <Input {...props} attributes={attributes} />
        </>
      )}
      {more}
    </div>
  )
}

/** Of a long list, the first ones are shown at first. */
function Ticks({ field: { is, options = [] }, name, value, onChange }: OneProps & { readonly name: string }) {
  const { rows, more } = useFirstRows(options)
  const chosen = Array.isArray(value) ? value : [value]
  return (
    <>
      {rows.map(({ value: one, label, hint }) => (
        <Tick
          key={one}
          label={label}
          hint={hint}
          isChecked={chosen.includes(one)}
          onChange={(isChosen) =>
            onChange(
              is === 'choice' ? one : isChosen ? [...chosen, one] : chosen.filter((each) => each !== one),
            )
          }
          {...(is === 'choice' && { attributes: { type: 'radio', name, value: one } })}
        />
      ))}
      {more}
    </>
  )
}

interface InputProps extends OneProps {
  readonly attributes: { readonly id: string }
}

function Input({ field, example, value, onChange, attributes }: InputProps) {
  const { is = 'text', options = [], suggestions = [], min, max, autoComplete } = field
  const all = {
    ...attributes,
    className: 'input',
    value: String(value),
    required: field.isRequired,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      onChange(target.value),
  }
  if (is === 'select') return <select {...all}>{options.map(optionOf)}</select>
  const text = { ...all, maxLength: field.maxLength, placeholder: example }
  if (is === 'area') return <textarea {...text} rows={field.rows ?? 3} />
  const list = `${attributes.id}-list`
  const hasList = suggestions.length > 0
  return (
    <>
      <input {...text} {...{ type: is, min, max, autoComplete }} list={hasList ? list : undefined} />
      {hasList && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  )
}

const optionOf = ({ value, label }: Option) => (
  <option key={value} value={value}>
    {label}
  </option>
)

export interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly isDisabled?: boolean
  onChange(value: string): void
}

/** A choice on its own. Its label is for screen readers. */
export function Select({ label, value, options, isDisabled = false, onChange }: SelectProps) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map(optionOf)}
    </select>
  )
}

/** The values of a form, and how they change. */
export function useFields<Values extends object>(initial: Values | (() => Values)) {
  const [values, setValues] = useState(initial)
  const set = (changed: Partial<Values>): void => setValues((before) => ({ ...before, ...changed }))
  return [values, set] as const
}

export interface FormProps {
  readonly className?: string | undefined
  readonly children: ReactNode
  /** With the value of the button that was used, if it has one. */
  onSubmit(by: string | undefined): void
}

/** A form that is sent by the page. */
export function Form({ className, children, onSubmit }: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    onSubmit(submitter?.getAttribute('value') ?? undefined)
  }
  return (
    <form className={className} onSubmit={submit}>
      {children}
    </form>
  )
}

export interface TickProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly name?: string | undefined
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  /** Others of the input. */
  readonly attributes?: object
  onChange(isChecked: boolean): void
}

/** A checkbox on its own. */
export function Tick({ label, hint, name, isChecked, isDisabled = false, attributes, onChange }: TickProps) {
  return (
    <label className="tickbox">
      <input
        type="checkbox"
        aria-label={name}
        checked={isChecked}
        disabled={isDisabled}
        {...attributes}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {hint != null && <span className="field-hint">{hint}</span>}
      </span>
    </label>
  )
}
