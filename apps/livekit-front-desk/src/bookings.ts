/** A booking of Skerry Air, invented like the airline. */
export interface Booking {
  /** Six capital letters or digits. */
  readonly code: string;
  readonly passengers: readonly string[];
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  /** Local time at the airport of departure, ISO 8601 without a zone. */
  readonly departs: string;
  readonly fare: string;
  readonly holdBags: string;
}

export const bookings: readonly Booking[] = [
  {
    code: 'K7PD2M',
    passengers: ['Ingrid Moar'],
    flight: 'SK 203',
    from: 'Port Ellin',
    to: 'Skerry',
    departs: '2026-01-09T07:40',
    fare: 'Saver 14',
    holdBags: 'none',
  },
  {
    code: 'T4RNX8',
    passengers: ['Magnus Flett', 'Ailsa Flett'],
    flight: 'SK 421',
    from: 'Port Ellin',
    to: 'Brannoc',
    departs: '2026-02-14T16:15',
    fare: 'Flex',
    holdBags: 'one of 23 kg each',
  },
  {
    code: '9HLM3C',
    passengers: ['Rowan Sinclair'],
    flight: 'SK 122',
    from: 'Vardness',
    to: 'Holmsay',
    departs: '2026-01-20T11:05',
    fare: 'Islander',
    holdBags: 'one of 20 kg',
  },
];
