import type { Booking } from './bookings.js';

/** What the agent keeps of a call. */
export interface Caller {
  /** The booking that the call is about, once it has been found. */
  booking?: Booking;
}
