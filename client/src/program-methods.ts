import type { Ask, Body, CallOptions, Query } from './call.ts'

/** The methods of the client for programs: what is shown again and again, period by period. */
export function programMethods(ask: Ask) {
  return {
    /** Creates a program. If it has started, its current period opens at once. */
    createProgram: (body: Body<'createProgram'>, options?: CallOptions) =>
      ask('createProgram', {}, { ...options, body, idempotent: true }),

    /** One page of programs, newest first, each with its newest period. */
    listPrograms: (query: Query<'listPrograms'> = {}, options?: CallOptions) =>
      ask('listPrograms', query, options),

    getProgram: (programId: string, options?: CallOptions) =>
      ask('getProgram', { program_id: programId }, options),

    /** Changes name, message, cadence or items, or ends the program. */
    changeProgram: (programId: string, body: Body<'changeProgram'>, options?: CallOptions) =>
      ask('changeProgram', { program_id: programId }, { ...options, body }),

    /** The status of every item in the newest periods. */
    getProgramBoard: (
      programId: string,
      query: Omit<Query<'getProgramBoard'>, 'program_id'> = {},
      options?: CallOptions,
    ) => ask('getProgramBoard', { ...query, program_id: programId }, options),

    /** Opens the next period now. */
    openPeriod: (programId: string, options?: CallOptions) =>
      ask('openPeriod', { program_id: programId }, { ...options, body: {}, idempotent: true }),

    /** A period with its items and their files. Upload to its `submission_id`, below the ID of an item. */
    getPeriod: (programId: string, period: string, options?: CallOptions) =>
      ask('getPeriod', of(programId, period), options),

    /** Reviews an item, comments on it, or changes its owner or due date. */
    changePeriodItem: (
      programId: string,
      period: string,
      itemId: string,
      body: Body<'changePeriodItem'>,
      options?: CallOptions,
    ) => ask('changePeriodItem', { ...of(programId, period), item_id: itemId }, { ...options, body }),

    /** Removes a file of an internal item from a period that is not sealed. */
    removePeriodFile: (programId: string, period: string, position: number, options?: CallOptions) =>
      ask('removePeriodFile', { ...of(programId, period), position: String(position) }, options),

    /** Gathers what suppliers sent, and submits the period. Poll `submission_id` of the result. */
    sealPeriod: (programId: string, period: string, body: Body<'sealPeriod'> = {}, options?: CallOptions) =>
      ask('sealPeriod', of(programId, period), { ...options, body }),
  }
}

const of = (programId: string, period: string) => ({ program_id: programId, period })
