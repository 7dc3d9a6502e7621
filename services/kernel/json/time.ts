/** Bounds of storable times in seconds since 1970: the years 1970 to 9998. */
const [first, end] = [0, Date.UTC(9999, 0) / 1000]

/** How a time outside these years is described in an error. */
export const storableTimes = 'a time in the years 1970 to 9998'

/** Whether the databases can store a time in every zone; others are refused on every surface. */
export const isStorableTime = (seconds: number): boolean => seconds >= first && seconds < end
