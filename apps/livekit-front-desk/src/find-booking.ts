import { type Session, tool, ToolError, type ToolSpec } from '@cuecard/core/tools';
import { z } from 'zod';

import { type Booking, bookings } from './bookings.js';
import type { Caller } from './caller.js';

/** What the model sends. */
export interface BookingArguments {
  readonly code: string;
}

const parameters: z.ZodType<BookingArguments> = z.object({
  code: z.string().describe('Six letters or digits, as in K7PD2M. What the caller spelled.'),
});

const spokenTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: 'UTC',
});

/** Finds a booking by its code, and keeps it for the rest of the call. */
export const findBooking: ToolSpec<BookingArguments, Session<Caller>> = tool({
  name: 'find_booking',
  description:
    'Finds a booking by its code: who flies, when, on which fare, with which bags. Ask for the code first, never make one up.',
  parameters,
  announce: 'One moment, I am looking for your booking.',
  run: ({ code }, { session }: { readonly session: Session<Caller> }) => {
    const wanted = readCode(code);
    const booking = bookings.find((candidate) => candidate.code === wanted);
    if (booking === undefined) return notFound(wanted);
    session.state.booking = booking;
    return { found: true, ...inWords(booking) };
  },
});

/** A code as it is stored, of one that was spelled: `k7p d2m`, `K-7-P-D-2-M`. */
function readCode(spelled: string): string {
  const code = spelled.replace(/[\s.,-]+/g, '').toUpperCase();
  if (/^[A-Z0-9]{6}$/.test(code)) return code;
  throw new ToolError(
    'That is no booking code: it has six letters or digits. Ask the caller to spell it once more.',
  );
}

function notFound(code: string): object {
  return {
    found: false,
    searched: code.split('').join(' '),
    advice: 'Read the code back letter by letter and ask whether it is right.',
  };
}

/** A booking as it can be said. */
function inWords({ passengers, departs, ...booking }: Booking): object {
  return {
    ...booking,
    passengers: passengers.join(' and '),
    departs: spokenTime.format(new Date(`${departs}Z`)),
  };
}
