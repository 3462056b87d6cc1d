import { end, type Session, TaskPlan, tool } from '@cuecard/core/tools';
import { z } from 'zod';

import { luggage, refunds, travel } from './bases.js';
import type { Caller } from './caller.js';
import { findBooking } from './find-booking.js';

const announce = { say: ['One moment, I am looking that up.', 'Let me see.'] };

const endCall = tool({
  name: 'end_call',
  description: 'Ends the call. Only when the caller has said goodbye or wants nothing more.',
  parameters: z.object({}),
  run: () => end(undefined, { advice: 'Say goodbye in one short sentence.' }),
});

const manner = `You answer the telephone at the front desk of Skerry Air, a small island airline.
Speak as one does on the phone: one or two short sentences, no lists, no symbols, no web addresses.
Say amounts in pounds unless the caller speaks of euros. Ask one question at a time.
What you know of the airline comes from your tools, and from quotations that come with the caller's words; from nothing else.
Where those do not answer, search before you say what its rules, prices, times or deadlines are.
If nothing that was found answers the question, say that you do not have that information. Never guess.`;

/** Steps of a call to the front desk: greet, then whatever the caller needs. */
export const plan: TaskPlan<Session<Caller>> = new TaskPlan<Session<Caller>>({
  tools: [
    refunds.tool({
      name: 'look_up_refunds',
      description: 'Rules on refunds, complaints, delays and cancellations.',
      announce,
    }),
    luggage.tool({
      name: 'look_up_luggage',
      description: 'Rules and prices for bags, and what to do when one is lost or damaged.',
      announce,
    }),
    travel.tool({
      name: 'look_up_travel',
      description:
        'Opening hours, check-in times, help for disabled passengers, hotels, terms. Not refunds and not luggage.',
      announce,
    }),
    findBooking,
    endCall,
  ],
  shared: ['look_up_travel', 'end_call'],
  start: 'greet',
  tasks: {
    greet: {
      when: 'The call begins.',
      instructions: `${manner}
The caller has been greeted. Find out what the call is about and go to the task for it as soon as that is clear, without a word about it.`,
      next: ['refunds', 'luggage', 'booking'],
    },
    refunds: {
      when: 'The caller wants money back, complains, or has a late or cancelled flight.',
      instructions: ({ state }) => `${manner}
The call is about a refund, a complaint or a disrupted flight. What may be refunded depends on the fare; ask for it if you need it.
${known(state)}`,
      tools: ['look_up_refunds'],
      next: ['luggage', 'booking'],
    },
    luggage: {
      when: 'The caller asks what may be carried and what it costs, or a bag is lost or damaged.',
      instructions: ({ state }) => `${manner}
The call is about luggage. What is included depends on the fare; ask for it if you need it.
${known(state)}`,
      tools: ['look_up_luggage'],
      next: ['refunds', 'booking'],
    },
    booking: {
      when: 'The caller asks about a booking of their own, or gives its code.',
      instructions: `${manner}
The call is about a booking. Find it by its code. Say the flight and its time first, the rest when you are asked.
You cannot change a booking.`,
      tools: ['find_booking'],
      next: ['refunds', 'luggage'],
    },
  },
});

function known({ booking }: Caller): string {
  return booking === undefined
    ? 'No booking has been found in this call yet.'
    : `The caller's booking is ${booking.code}: fare ${booking.fare}, hold bags ${booking.holdBags}.`;
}
