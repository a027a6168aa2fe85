import { type ChangeEvent, type FormEvent, type ReactNode, useId, useState } from 'react'
import { useFirstRows } from './first-rows.tsx'

interface Common {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isDisabled?: boolean
  /** The label is for screen readers alone. */
  readonly isLabelHidden?: boolean
}

type Named<Values, Value> = {
  [Name in keyof Values]-?: Values[Name] extends Value ? Name : never
}[keyof Values]

interface Choice<Values> {
  readonly name: Named<Values, string>
  readonly options: readonly Option[]
}

export interface Option {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

/** One input of a form, by the value that it changes. */
export type Field<Values> = Common &
  (
    | {
        readonly is?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'number'
        readonly name: Named<Values, string>
        readonly isRequired?: boolean
        readonly maxLength?: number
        readonly example?: string
        readonly autoComplete?: string
        /** Offered while someone types. */
        readonly suggestions?: readonly string[]
        readonly min?: string | number
        readonly max?: string | number
      }
    | {
        readonly is: 'area'
        readonly name: Named<Values, string>
        readonly isRequired?: boolean
        readonly maxLength?: number
        readonly example?: string
        readonly rows?: number
      }
    | ({ readonly is: 'select' } & Choice<Values>)
    /** All of them in view. */
    | ({ readonly is: 'choice' } & Choice<Values>)
    | { readonly is: 'tick'; readonly name: Named<Values, boolean> }
    /** Any number of them. */
    | {
        readonly is: 'ticks'
        readonly name: Named<Values, readonly string[]>
        readonly options: readonly Option[]
      }
  )

export interface FieldsProps<Values> {
  /** Left out where something does not apply: `false` is no field. */
  readonly fields: readonly (Field<Values> | false | undefined)[]
  readonly values: Values
  set(changed: Partial<Values>): void
  readonly isDisabled?: boolean
  /** Side by side where there is room. */
  readonly isPaired?: boolean
}

/** The inputs of a form, each with its label, hint and error. */
export function Fields<Values>({ fields, isPaired = false, ...form }: FieldsProps<Values>) {
  return (
    <div className={isPaired ? 'fields two' : 'fields'}>
      {fields.map((field) => field && <OneField key={String(field.name)} field={field} {...form} />)}
    </div>
  )
}

type OneProps<Values> = Pick<FieldsProps<Values>, 'values' | 'set' | 'isDisabled'> & {
  readonly field: Field<Values>
}

function OneField<Values>({ field, values, set, isDisabled: isAllDisabled }: OneProps<Values>) {
  const id = useId()
  const { label, hint, error, isDisabled = isAllDisabled ?? false, isLabelHidden } = field
  const change = (value: unknown): void => set({ [field.name]: value } as Partial<Values>)
  const value = String(values[field.name])
  const described = [hint != null && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  const attributes = {
    id,
    disabled: isDisabled,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : true,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      change(target.value),
  } as const
  const below = (
    <>
      {hint != null && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </>
  )
  if (field.is === 'tick')
    return (
      <div className="field">
        <label className="tickbox">
          <input
            {...attributes}
            type="checkbox"
            checked={Boolean(values[field.name])}
            onChange={({ target }) => change(target.checked)}
          />
          <span>{label}</span>
        </label>
        {below}
      </div>
    )
  if (field.is === 'ticks') {
    const chosen = values[field.name] as readonly string[]
    return (
      <Ticks field={field} isDisabled={isDisabled} chosen={chosen} onChange={change}>
        {below}
      </Ticks>
    )
  }
  if (field.is === 'choice')
    return (
      <fieldset className="field" disabled={isDisabled} aria-describedby={attributes['aria-describedby']}>
        <legend>{label}</legend>
        {field.options.map((option) => (
          <label key={option.value} className="tickbox">
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={value === option.value}
              onChange={attributes.onChange}
            />
            <span>
              {option.label}
              {option.hint !== undefined && <span className="field-hint">{option.hint}</span>}
            </span>
          </label>
        ))}
        {below}
      </fieldset>
    )
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden === true ? 'visually-hidden' : undefined}>
        {label}
        {'isRequired' in field && field.isRequired === true && <span aria-hidden="true"> *</span>}
      </label>
      <Input field={field} value={value} attributes={attributes} />
      {below}
    </div>
  )
}

interface TicksProps {
  readonly field: { readonly label: string; readonly options: readonly Option[] }
  readonly chosen: readonly string[]
  readonly isDisabled: boolean
  onChange(chosen: readonly string[]): void
  readonly children: ReactNode
}

/** Of a long list, the first ones are shown at first. */
function Ticks({ field, chosen, isDisabled, onChange, children }: TicksProps) {
  const { rows, more } = useFirstRows(field.options)
  return (
    <fieldset className="field" disabled={isDisabled}>
      <legend>{field.label}</legend>
      {rows.map(({ value, label, hint }) => (
        <Tick
          key={value}
          label={label}
          hint={hint}
          isChecked={chosen.includes(value)}
          onChange={(is) => onChange(is ? [...chosen, value] : chosen.filter((one) => one !== value))}
        />
      ))}
      {more}
      {children}
    </fieldset>
  )
}

interface InputProps<Values> {
  readonly field: Exclude<Field<Values>, { readonly is: 'tick' | 'ticks' | 'choice' }>
  readonly value: string
  readonly attributes: { readonly id: string }
}

function Input<Values>({ field, value, attributes }: InputProps<Values>) {
  if (field.is === 'select')
    return (
      <select {...attributes} className="input" value={value}>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  const text = {
    ...attributes,
    className: 'input',
    value,
    required: field.isRequired,
    maxLength: field.maxLength,
    placeholder: field.example,
  }
  if (field.is === 'area') return <textarea {...text} rows={field.rows ?? 3} />
  const { suggestions = [], min, max, autoComplete } = field
  return (
    <>
      <input
        {...text}
        type={field.is ?? 'text'}
        min={min}
        max={max}
        autoComplete={autoComplete}
        list={suggestions.length > 0 ? `${attributes.id}-list` : undefined}
      />
      {suggestions.length > 0 && (
        <datalist id={`${attributes.id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
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

/** A checkbox on its own. */
export function Tick(props: {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly name?: string | undefined
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  onChange(isChecked: boolean): void
}) {
  const { label, hint, name, isChecked, isDisabled = false, onChange } = props
  return (
    <label className="tickbox">
      <input
        type="checkbox"
        aria-label={name}
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {hint != null && <span className="field-hint">{hint}</span>}
      </span>
    </label>
  )
}
