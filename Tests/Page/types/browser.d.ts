// What browsers have and the library of TypeScript 4.8 does not, as far as the page uses it.

interface Array<T> {
  findLast<Found extends T>(test: (value: T, index: number) => value is Found): Found | undefined;
  findLast(test: (value: T, index: number) => unknown): T | undefined;
  toReversed(): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
}

interface ReadonlyArray<T> {
  toReversed(): T[];
}

interface MapConstructor {
  groupBy?<Key, Value>(items: Iterable<Value>, key: (value: Value) => Key): Map<Key, Value[]>;
}

/** What not every browser has stands as such. */
declare var BroadcastChannel: { prototype: BroadcastChannel; new (name: string): BroadcastChannel };
declare var trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string } }
  | undefined;

interface AbortSignal {
  throwIfAborted(): void;
}

/** `AbortSignal` itself, which is declared with less. */
interface Signals {
  timeout?(milliseconds: number): AbortSignal;
  any?(signals: AbortSignal[]): AbortSignal;
}

interface Document {
  // What index.html has, and what the frame puts into it.
  getElementById(
    id: "main" | "title" | "about" | "actions" | "polite" | "toasts" | "sidebar" | "top" | "skip" | "side-list" | "side-nav",
  ): HTMLElement;
  getElementById(id: "back"): HTMLAnchorElement;
  getElementById(id: "search"): HTMLInputElement;
}

interface WakeLockSentinel {
  release(): Promise<void>;
}

interface Navigator {
  /** Of Safari alone: whether it was opened from the home screen. */
  readonly standalone?: boolean;
  readonly wakeLock?: { request(type: "screen"): Promise<WakeLockSentinel> };
}

interface ServiceWorkerRegistration {
  /** Background Sync, of Chromium alone. */
  readonly sync?: { register(tag: string): Promise<void> };
}

interface IDBDatabase {
  transaction(tables: string | string[], mode?: IDBTransactionMode, options?: { durability?: "strict" | "relaxed" | "default" }): IDBTransaction;
}

interface Element {
  checkVisibility?(options?: object): boolean;
}

interface URLSearchParams {
  readonly size?: number;
}

interface PermissionStatus {}

interface MediaMetadataInit {
  chapterInfo?: { title: string; startTime: number; artwork: object[] }[];
}
