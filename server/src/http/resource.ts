import { BOUNDARY } from '@kitseal/kit/internal'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Columns, Row, Table } from '../database/table.ts'
import type { PageOf } from '../database/unit.ts'
import { cursorOf, ListOf, listResponse, type PagedList } from './page-query.ts'
import { Boundary, Closed, Named } from './schema-parts.ts'

/** What an operation returns: its schema, and how what the handler returned is shown. `isFirst` is false for a retry, which gets no secrets. */
export interface Answer<Out> {
  readonly schema: TSchema
  /** Other named schemas, which it contains. */
  readonly parts?: readonly TSchema[]
  /** The list whose pages it has, and which its query asks for. */
  readonly pages?: PagedList
  show(out: Out, isFirst: boolean): object
}

/** What the handler returned is the response. */
export const asReturned = <Out extends object>(schema: TSchema): Answer<Out> => ({
  schema,
  show: (out) => out,
})

export interface Resource<Out> extends Answer<Out> {
  /** As a list has it. */
  readonly item: TObject
  showItem(out: Out): object
}

/** A response of members that no table has. */
export const answer = <Out>(
  name: string,
  description: string,
  members: TProperties,
  show: (out: Out) => object,
): Answer<Out> => ({ schema: Named(name, description, members), show })

/** What a response shows that is not a column. */
export interface Member<V> {
  readonly schema: TSchema
  from(row: V): unknown
}
export const member = <S extends TSchema, V>(schema: S, from: (row: V) => Static<S>): Member<V> => ({
  schema,
  from,
})

/** A schema alone is of what the row has under this name. */
export type Members<V> = Readonly<Record<string, Member<V> | TSchema>>

const schemasIn = <V>(members: Members<V>): TProperties =>
  Object.fromEntries(
    Object.entries(members).map(([name, each]) => [name, 'from' in each ? each.schema : each]),
  )
const shownBy = <V>(members: Members<V>, row: V): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, each]) => [
      name,
      'from' in each ? each.from(row) : row[name as keyof V],
    ]),
  )

export interface ResourceOptions<C extends Columns, V, O extends string> {
  /** The columns that it has, or those that it has not. */
  readonly only?: readonly (keyof C & string)[]
  readonly without?: readonly (keyof C & string)[]
  /** Members that are not columns. */
  readonly and?: Members<V>
  /** Only in the first response. The handler returns it as `once`, apart from the row, so that no row can leak it. */
  readonly once?: Readonly<Record<O, string>>
  /** What a retry says instead. */
  readonly notice?: string
  /** Whether a response that is one resource has the boundary, and each of a list too. */
  readonly boundary?: 'each' | 'alone' | 'none'
}

/** Columns that are sealed, and the owner, are in no response. */
export function resource<C extends Columns, V extends Row<C> = Row<C>, O extends string = never>(
  name: string,
  description: string,
  table: Table<C>,
  { only, without = [], and = {}, once, notice, boundary = 'each' }: ResourceOptions<C, V, O> = {},
): Resource<V & { readonly once?: Readonly<Record<O, string>> }> {
  const hidden = new Set<string>([...without, ...table.named('sealed'), ...table.named('owner')])
  const shown = Object.entries(table.columns).filter(
    ([column]) => !hidden.has(column) && only?.includes(column) !== false,
  )
  const secrets = Object.entries<string>(once ?? {})
  const columns: TProperties = Object.fromEntries(shown.map(([column, { spec }]) => [column, spec.shown]))
  const members = { ...columns, ...schemasIn(and) }
  const show = (row: V): Record<string, unknown> => ({
    ...Object.fromEntries(shown.map(([column]) => [column, row[column]])),
    ...shownBy(and, row),
  })
  const [ofEach, ofSingle] = [boundary === 'each', boundary !== 'none']
  const ofOne: TProperties = Object.fromEntries([
    ...secrets.map(([secret, text]) => [secret, Type.Optional(Type.String({ description: text }))]),
    ...(notice === undefined ? [] : [['notice', Type.Optional(Type.String({ description: NOTICE }))]]),
  ])
  return {
    item: Type.Object({ ...members, ...(ofEach && { boundary: Boundary() }) }),
    showItem: (row) => ({ ...show(row), ...(ofEach && { boundary: BOUNDARY }) }),
    schema: Named(name, description, { ...members, ...(ofSingle && { boundary: Boundary() }), ...ofOne }),
    show: (row, isFirst) => ({
      ...show(row),
      ...(ofSingle && { boundary: BOUNDARY }),
      ...(isFirst ? row.once : row.once && notice !== undefined && { notice }),
    }),
  }
}

/** A resource of no table. */
export function composed<V>(name: string, description: string, members: Members<V>): Resource<V> {
  const schemas = schemasIn(members)
  const show = (row: V) => shownBy(members, row)
  return { item: Type.Object(schemas), showItem: show, schema: Named(name, description, schemas), show }
}

const NOTICE = 'Only in the response to a retry: why there is no secret.'

/** A list that is complete. */
export const list = <R>(name: string, description: string, { item, showItem }: Resource<R>) =>
  answer<readonly R[]>(name, description, ListOf(item), (rows) => listResponse(rows.map(showItem)))

/** A list in pages. The handler returns what `page` returned, and what `and` shows of the list as a whole. */
export const pages = <R, V extends PageOf<R> = PageOf<R>>(
  name: string,
  description: string,
  of: PagedList,
  { item, showItem }: Pick<Resource<R>, 'item' | 'showItem'>,
  and: Members<V> = {},
  ofData?: string,
): Answer<V> => ({
  schema: Named(name, description, { ...schemasIn(and), ...ListOf(item, ofData) }),
  pages: of,
  show: (page) => ({
    ...shownBy(and, page),
    ...listResponse(page.rows.map(showItem), page.next === null ? null : cursorOf(of, page.next)),
  }),
})

export interface Body<B> {
  readonly schema: TSchema
  /** Only a type. */
  readonly sends?: B
}

/** A body whose schema is declared elsewhere. */
export const asSent = <S extends TSchema>(schema: S): Body<Static<S>> => ({ schema })

/** A body of members that no table has. */
export const body = <P extends TProperties>(
  name: string,
  members: P,
  description?: string,
): Body<Static<TObject<P>>> => ({
  schema: Type.Object(members, {
    $id: name,
    additionalProperties: false,
    ...(description === undefined ? {} : { title: name, description }),
  }),
})

/** A body without a name, for what the API's description leaves out. */
export const sends = <P extends TProperties>(members: P): Body<Static<TObject<P>>> => ({
  schema: Closed(members),
})

interface Asked<C extends Columns, R extends keyof C, O extends keyof C, A extends TProperties> {
  readonly required?: readonly R[]
  readonly optional?: readonly O[]
  readonly and?: A
}

/** A body whose members are columns. */
export function bodyOf<
  C extends Columns,
  R extends keyof C & string = never,
  O extends keyof C & string = never,
  A extends TProperties = {},
>(
  name: string,
  description: string,
  table: Table<C>,
  { required = [], optional = [], and }: Asked<C, R, O, A>,
): Body<Pick<Row<C>, R> & Partial<Pick<Row<C>, O>> & Static<TObject<A>>> {
  const members = [
    ...required.map((column) => [column, table.column(column).spec.asked]),
    ...optional.map((column) => [column, Type.Optional(table.column(column).spec.asked)]),
  ]
  return { schema: body(name, { ...Object.fromEntries(members), ...and }, description).schema }
}
