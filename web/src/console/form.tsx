import { type ChangeEvent, type ReactNode, useState } from 'react'

export interface FormProps {
  readonly className?: string | undefined
  readonly children: ReactNode
  /** With the value of the button that was used, if it has one. */
  onSubmit(by: string | undefined): void
}

/** A form that is sent by the page. */
export function Form({ className, children, onSubmit }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        const { submitter } = event.nativeEvent as SubmitEvent
        onSubmit(submitter?.getAttribute('value') ?? undefined)
      }}
    >
      {children}
    </form>
  )
}

type NameOf<Values, Value> = {
  [Name in keyof Values]: Values[Name] extends Value ? Name : never
}[keyof Values]

/** The values of a form, and what connects its inputs to them. */
export function useFields<Values extends object>(initial: Values | (() => Values)) {
  const [values, setValues] = useState(initial)
  const set = (changed: Partial<Values>): void => setValues((before) => ({ ...before, ...changed }))
  return {
    values,
    set,
    /** For an input of text. */
    text: (name: NameOf<Values, string>) => ({
      value: values[name] as string,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set({ [name]: currentTarget.value } as Partial<Values>),
    }),
    /** For a choice of one, which cannot be undone. */
    choice: (name: NameOf<Values, string>) => ({
      value: values[name] as string,
      allowDeselect: false,
      onChange: (value: string | null) => value !== null && set({ [name]: value } as Partial<Values>),
    }),
    /** For an input that gives its value. */
    given: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    }),
  }
}
