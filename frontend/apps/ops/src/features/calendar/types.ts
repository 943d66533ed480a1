import type { components } from '@portage/api';

/** The calls of the calendar by the names of the contract; whoever needs one of them takes it from here. */
type Schemas = components['schemas'];

/** Mates and trucks of each size, of one day. */
export type CrewCapacity = Schemas['CrewCapacity'];
/** What a hub has on each weekday, Monday first. */
export type CalendarWeek = Schemas['CalendarWeek'];
export type CalendarWeekRequest = Schemas['CalendarWeekRequest'];
/** One local day of a hub: planned, away, offered and taken. */
export type CalendarDay = Schemas['CalendarDay'];
export type CalendarDays = Schemas['CalendarDays'];
export type CalendarDayRequest = Schemas['CalendarDayRequest'];
/** A mate or a truck that is away from the first to the last day. */
export type AbsenceRecord = Schemas['AbsenceRecord'];
export type AbsenceList = Schemas['AbsenceList'];
export type AbsenceRequest = Schemas['AbsenceRequest'];
