// What the modules of the page hand to each other.

/** What may stand in an element: texts become text nodes, and what is nothing is left out. */
type Child = Node | string | number | false | null | undefined | Child[];

/** The element that `h` makes of a tag such as `button.primary`. */
type ElementOf<Tag extends string> =
  Tag extends `${infer Name}.${string}` ? ElementOf<Name> :
  Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] :
  Tag extends "" ? HTMLDivElement : HTMLElement;

/** An event at an element: its target is this element, or one in it. */
type Happening<Happened extends Event, On> = Happened & { readonly currentTarget: On; readonly target: On };

type Listener<Happened extends Event, On> = (event: Happening<Happened, On>) => unknown;

interface Props<On> {
  class?: string | null;
  value?: string | number | null;
  onclick?: Listener<MouseEvent, On>;
  onchange?: Listener<Event, On>;
  oninput?: Listener<InputEvent, On>;
  onsubmit?: Listener<SubmitEvent, On>;
  onscroll?: Listener<Event, On>;
  onwheel?: Listener<WheelEvent, On>;
  ontouchmove?: Listener<TouchEvent, On>;
  onkeydown?: Listener<KeyboardEvent, On>;
  onpointerdown?: Listener<PointerEvent, On>;
  onfocusin?: Listener<FocusEvent, On>;
  onload?: Listener<Event, On> | ((value: any) => unknown);
  onerror?: Listener<Event, On> | ((value: any) => unknown);
  [attribute: string]: any;
}

/** A table of the page's own database. */
type Table = "outbox" | "pieces" | "kept" | "settings";

/** An answer, of the server or kept. */
interface Answered<Body> {
  status: number;
  body: Body;
  etag: string | null;
  headers: Headers;
  owner?: string;
  next?: Record<string, string>;
  stale: boolean;
  /** Of a kept one, when it came. */
  at?: number;
}

type Query = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>;

interface Asked {
  query?: Query;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  as?: string;
  timeout?: number;
  keepalive?: boolean;
  /** Keeps the answer, for when the server can't be reached. */
  keep?: boolean;
}

interface Client {
  href(path: string, query?: Query): string;
  get(path: string, options: Asked & { as: "text" }): Promise<Answered<string>>;
  get(path: string, options: Asked & { as: "bytes" }): Promise<Answered<ArrayBuffer>>;
  get<Path extends string>(path: Path, options?: Asked): Promise<Answered<Api.Answer<`GET ${Path}`>>>;
  kept<Path extends string>(path: Path, query?: Query): Promise<Answered<Api.Answer<`GET ${Path}`>> | undefined>;
  renew(path: string, query: Query | undefined, body: unknown): Promise<void>;
  send(method: string, path: string, body: unknown, options: Asked & { type?: string; as: "text" }): Promise<Answered<string>>;
  send<Method extends string, Path extends string>(
    method: Method, path: Path, body?: unknown, options?: Asked & { type?: string },
  ): Promise<Answered<Api.Answer<`${Method} ${Path}`>>>;
}

/** A journal, as entries that wait for it name it. */
interface Destination {
  handle: string;
  id?: string | null;
  title?: string;
  /** Words for the entry, of another journal than a session. */
  what?: string;
}

type EntryState = "pressed" | "recording" | "waiting" | "at-server" | "needs-you";

/** What was made here and has no acknowledgement yet. */
interface Entry {
  id: string;
  kind: string;
  session: Destination;
  body: any;
  sent?: any;
  audio?: { type?: string; size?: number };
  audioSent?: boolean;
  made: number;
  difference: number;
  tries: number;
  last: number;
  state: EntryState;
  by?: { person?: string; name?: string };
  after?: number;
  undone?: boolean;
  problem?: string;
  result?: { reason?: string };
}

/** Part of a page at an address. */
interface View {
  close(): void;
  update?(route: Route): void;
}

/** A place of the navigation. */
interface Place {
  key: string;
  icon: string;
  address: string;
  /** Whether it is at hand on a phone without the menu. */
  phone?: boolean;
  count?: number;
}

/** The frame around each view. */
interface Frame {
  readonly main: HTMLElement;
  problems: number;
  hasJournals: string | boolean;
  list: ((root: HTMLElement, scroller: HTMLElement) => View) | undefined;
  sideList?: View;
  title(text: string, options?: { back?: string; about?: string }): void;
  actions(...nodes: (Child | Child[])[]): void;
  build(): void;
  layOut(): void;
  refresh(): void;
  link(place: Place): HTMLElement;
  menu(): void;
}

interface Route {
  path: string[];
  query: URLSearchParams;
}

/** What the server tells by itself. */
interface Told {
  type: string;
  data: any;
}

interface Signal<Values extends unknown[]> {
  on(listener: (...values: Values) => unknown): () => void;
  tell(...values: Values): void;
}

interface Category {
  tag: string;
  aliases: string[];
  letter: string;
  key: KeyName;
  name(): string;
}

declare namespace Api {
  // Records are as they are in the files, valid or not: what the page reads of them.
  interface MarkerRecord {
    id: string;
    offset_ms: number;
    duration_ms?: number;
    created_at: string;
    label?: string;
    note?: string;
    tags?: string[];
    voice_note_id?: string;
  }
  interface VoiceNoteRecord {
    id: string;
    offset_ms: number;
    duration_ms?: number;
    created_at: string;
    media_path?: string;
    transcript_text?: string;
  }
  interface TranscriptRecord {
    id: string;
    offset_ms: number;
    text?: string;
  }
  interface ActionRecord {
    id: string;
    action: string;
    created_at: string;
  }
}

/** How times (ms since 1970), offsets and lengths (ms) and sizes (bytes) are written. */
interface Format {
  number(n: number): string;
  offset(ms: number): string;
  exact(ms: number): string;
  length(ms: number): string;
  day(ms: number): string;
  time(ms: number): string;
  dateTime(ms: number): string;
  bytes(n: number): string;
  ago(ms: number): string;
}

interface Store {
  lasting(): Promise<boolean>;
  get(table: Table, key: IDBValidKey): Promise<any>;
  put(table: Table, value: any): Promise<boolean>;
  hold(table: Table, value: any): void;
  del(table: Table, key: IDBValidKey | KeyRange): Promise<void>;
  clear(table: Table): Promise<void>;
  all(table: Table, range?: KeyRange): Promise<any[]>;
  change(table: Table, key: IDBValidKey, fn: (value: any) => any): Promise<any>;
}

/** A range of keys, or where there is no IndexedDB what tells its keys. */
type KeyRange = IDBKeyRange | { includes(key: any): boolean };

interface Settings {
  get(key: string): any;
  set(key: string, value: unknown): Promise<boolean>;
  drop(key: string): Promise<void>;
  names(): string[];
  take(key: string, value: unknown): void;
  on(key: string, listener: (value: any) => unknown): () => void;
}

interface Outbox {
  on(listener: () => unknown): () => void;
  onDelivered(listener: (entry: Entry, outcome: { result: string; record?: any; warnings?: string[] }) => unknown): () => void;
  all(): Entry[];
  resume(): void;
  of(session: string | null | undefined): Entry[];
  get(id: string): Entry | undefined;
  readonly counts: { waiting: number; needsYou: number; atServer: number; oldest?: number };
  drain(now?: boolean): Promise<void>;
}

/** The bearer of this browser's token. */
interface Me {
  id?: string;
  signedIn: boolean;
  scope?: string;
  name?: string;
  person?: string;
  filtered: boolean;
  sessions?: string[];
  journals?: string[];
  features: Partial<Api.ServerFeatures>;
  limits: Partial<Api.ServerLimits>;
  version?: string;
  expires_at?: string;
  can(scope: string): boolean;
  take(server: Api.Server): void;
}

interface ToastOptions {
  /** Buttons; `last` is on one of them where the message counts more than one. */
  actions?: { label: string; last?: string; run(): unknown }[];
  ms?: number;
  kind?: "info" | "bad";
  /** One of a topic takes the place of the one before. */
  topic?: string;
  /** The words for more than one of a topic. */
  many?(n: number): string;
}

/** A message at the foot, and how long it is to be seen yet (ms). */
interface Message {
  node: HTMLElement;
  isBad: boolean;
  topic?: string;
  n?: number;
  left: number;
  wasSeen?: boolean;
}

/** What a menu offers: something that is done, or a place. */
interface MenuItem {
  label: string;
  icon: string;
  run?(event: Happening<MouseEvent, HTMLElement>): unknown;
  href?: string;
}

interface Choice {
  label: string;
  value?: string | (() => unknown);
  primary?: boolean;
  danger?: boolean;
}

interface DialogOptions {
  title: string;
  body: Child;
  actions?: Choice[];
  /** The name that what is typed is kept under, and what is kept beside it. */
  draft?: string;
  data?: unknown;
  submit?(): unknown;
  /** A button of the body that closes the dialog, too. */
  other?: HTMLElement;
}

/** A problem as the server tells it, or as the page makes it. */
interface ProblemBody {
  code?: string;
  detail?: string;
  hint?: string;
  retry_after_ms?: number;
  [member: string]: any;
}

/** The clock of a session, as its answer has it. */
interface SessionClock {
  start_time?: string | null;
  pauses?: { offset_ms: number; length_ms: number }[];
  paused_at_ms?: number | null;
}

/** What keys do, by the name that `ui/keys` has for it. */
type KeyName = typeof import("../../../page/ui/keys").KEYS[number];
type KeyMap = Partial<Record<KeyName, (event: KeyboardEvent) => unknown>>;

/** A journal at its address. */
type Journal = Api.JournalDetails & { handle: string };

/** The markers around a position: where the last one before it is, where what it marks ends, and where the next one is (ms). */
interface Around {
  here?: number;
  end?: number;
  next?: number;
}

/** Where a view of a journal stands, and what follows its name in the address. */
interface JournalContext {
  journal: Journal;
  key?: string;
  part?: string;
  /** Shows the records of the journal, as those of any. */
  records(root: HTMLElement): View;
}

/** Fills a view; `reload` fills it again. `signal` ends what is asked, `life` what was made when something else is in its place. */
type Filling = (signal: AbortSignal, reload: () => Promise<void>, life: AbortSignal) => Child | Promise<Child>;

type Follow = (reload: () => Promise<void>) => () => void;

type ViewMaker<Context> = (root: HTMLElement, context: Context) => View;

/** A field with its label: its control is what is typed into. */
type Field = HTMLLabelElement & { readonly control: HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement };

/** A game with scores, as its plot needs it. */
type Plotted = Api.PracticeGame & { scores: Api.PracticeScores; best: number };

/** What became of an entry. */
interface Outcome {
  id?: string;
  result: string;
  reason?: string;
  warnings?: string[];
  record?: any;
}

/** Entries that are not in their session now, and why. */
type Gone = { entry: Entry; result: string }[];

/** A marker as the page shows it: stored, or waiting. */
type Marker = Api.MarkerRecord;

/** When something was pressed: the offset in the session, and the moment by the server's clock. */
interface Moment {
  offset: number;
  at: number;
}

type Markers = import("../../../page/sessions/markers").Markers;

/** A session with its clock, if it runs. */
type OpenSession = Omit<Api.SessionDetails, "clock"> & { clock?: SessionClock };

/** A row of the list of markers that is in the page, and what it shows. */
interface HeldRow {
  node: HTMLElement;
  record?: Marker;
  state?: EntryState;
  index?: number;
}

/** Which markers are seen: those of a category, by its place, or those with a tag; with neither all of them. */
interface Only {
  category?: number;
  tag?: string;
}

/** A part whose module may not have come yet. */
interface Coming<Part> {
  readonly shown?: Part;
  close(): void;
}

/** A tab of a session; `load` fills it again. */
interface SessionPart {
  close(): void;
  load?(): unknown;
}

/** What a mark needs of the view in which it is made. */
interface MarkingView {
  handle: string;
  session?: OpenSession;
  canMark: boolean;
  isQuiet?: boolean;
  /** Whether something else has taken its place. */
  readonly closed?: boolean;
  player: any;
  all?: Markers;
  marking: import("../../../page/sessions/marking").Marking;
  moment(ago?: number): Moment;
  marked(record: Marker): void;
  unmarked(record: Marker): void;
  remove(record: Marker): Promise<unknown>;
  spoke?(): void;
}

interface Begun {
  record: Marker;
  kept: Promise<boolean>;
}

/** What a tab of a session has of it. */
interface TabContext {
  handle: string;
  session: OpenSession;
  canMark: boolean;
  player: import("../../../page/play/player").Player;
}

/** A voice note as its tab shows it: stored, waiting, or known by what was being written of it. */
type SpokenNote = Pick<Api.VoiceNoteRecord, "id" | "offset_ms"> & Partial<Api.VoiceNoteRecord>;

/** A part of what was said in a session. */
type Segment = Api.TranscriptRecord & { duration_ms?: number; speaker?: string };

/** A block of the words of a digest: which members it has goes by its type. */
type DigestPart = Required<Api.DigestBlock>;

/** What a person says of a marker; null takes it away. */
interface MarkerWords {
  label?: string | null;
  note?: string | null;
  tags?: string[] | null;
}

/** The rows of all lists of sessions, newest first, as far as they were asked for. */
interface SessionRows {
  rows: Api.SessionRow[];
  next: Record<string, string> | undefined;
  loaded: boolean;
  stale: boolean;
  error: unknown;
  loading: Promise<void> | Promise<Answered<Api.SessionRow[]>> | undefined;
  timer?: Timer;
  changed: Signal<[]>;
  start(): Promise<unknown>;
  later(): void;
  refresh(): Promise<unknown>;
  take(answer: Pick<Answered<Api.SessionRow[]>, "body" | "next" | "stale">): void;
  more(): Promise<void>;
}

/** A session that one stopped listening to, and where; or the words for why it is offered. */
interface Heard {
  row: Omit<Api.SessionRow, "online">;
  offset?: number;
  over?: string;
}

/** What of the list of sessions is seen. */
interface SessionChoice {
  rows(all: Api.SessionRow[]): Api.SessionRow[];
  isByDay: boolean;
  /** Whether all are seen, in their own order. */
  isWhole: boolean;
  /** What stands where no row is seen, as long as there may be more or not. */
  none?(next: unknown): Child;
}

/** A page of the list of sessions. */
type SessionBlock = HTMLDivElement & { rows: Api.SessionRow[]; isByDay?: boolean; dayBefore?: string };

/** An open session at its address. */
type SessionView = ReturnType<typeof import("../../../page/sessions/view").open>;

/** What `setTimeout` gives back, once it was called. */
type Timer = number | undefined;

/** The server's clock, as far as its answers tell. */
interface Clock {
  learned: Signal<[number]>;
  remember(difference?: number): void;
  readonly difference: number;
  now(): number;
  learn(serverTime: number, sent: number, received: number): void;
}

/** Between the tabs of a browser. */
interface Channel {
  on(listener: (message: any) => unknown): () => void;
  post(message: Record<string, unknown>): void;
}

/** Whether the server is reached, and whether it tells of changes. */
interface Net {
  reached?: boolean;
  live: boolean;
  asks: boolean;
  changed: Signal<[]>;
  regained: Signal<[]>;
  set(reached: boolean, asks?: boolean): void;
}

interface Events {
  on(listener: (told: Told) => unknown): () => void;
  watch(handle: string): () => void;
  want(): void;
  start(): void;
  stop(): void;
}

/** What is seen of a session: from when, how long that is (ms), and how wide (px). */
interface Seen {
  from: number;
  span: number;
  width: number;
}

/** How many markers of each category there are in a stretch. */
interface Cell {
  min: number;
  max: number;
  n: number[];
}

/** A stretch of a session: how many markers it has, of each category and in all that are shown, and these if they are here. */
interface Stretch extends Cell {
  count: number;
  rows?: Marker[];
}

/** The peaks of a recording at a level, as far as they are here. */
interface PeakLevel {
  rate: number;
  last?: number;
  blocks: Map<number, Int8Array | undefined>;
}

/** Asks something about a journal. */
type JournalQuestion = <Tail extends string>(
  tail: Tail, query?: Query,
) => Promise<Answered<Api.Answer<`GET journals/${string}/${Tail}`>>>;

/** Changes what is in the outbox: on disk first, then for all that show it. */
interface Writing {
  add(entry: Pick<Entry, "id" | "kind" | "session"> & Partial<Entry> & { rest?: number }): Promise<boolean>;
  release(id: string): Promise<Entry | undefined>;
  update(id: string, fn: (entry: Entry) => Entry | null | undefined | void): Promise<Entry | undefined>;
  remove(id: string): Promise<boolean>;
  addPiece(id: string, number: number, bytes: ArrayBuffer): Promise<boolean>;
  audio(id: string): Promise<Blob | undefined>;
  finish(id: string, about: { duration_ms?: number; size?: number; type?: string }): Promise<void>;
  rescuePresses(): void;
  rescueRecordings(): unknown;
}
