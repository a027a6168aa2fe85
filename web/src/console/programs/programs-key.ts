export const PROGRAMS = ['programs'] as const
