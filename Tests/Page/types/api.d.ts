// Made by Tests/Page/make-types out of docs/openapi.json; a change here is lost.

/** What the server answers, by the names of its schemas. */
declare namespace Api {
  /** A session that was created. */
  interface CreatedSession {
    session_path?: string;
    handle: string;
    session_id: string;
    media_id?: string;
    media_path?: string;
    duration_ms?: number;
  }
  /** A session whose title or start was changed. */
  interface EditedSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    changed: boolean;
    title: string;
    start_time?: string;
  }
  /** A session whose clock was stopped. */
  interface PausedSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    offset_ms: number;
    warnings?: string[];
  }
  /** A session whose clock runs again. */
  interface ResumedSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    offset_ms: number;
    pause_ms: number;
    warnings?: string[];
  }
  /** A session that was closed. */
  interface ClosedSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    duration_ms: number;
    markers_behind_end?: number;
    warnings?: string[];
  }
  /** A session in the bin. */
  interface DeletedSession {
    session_id?: string;
    origin_path?: string;
    bin_path?: string;
    deleted_at: string;
    title?: string;
  }
  /** A session that has come out of the bin. */
  interface RestoredSession {
    session_path?: string;
    handle: string;
    session_id?: string;
  }
  /** A session: what session.json says, and how much is in its files. */
  interface SessionDetails {
    session_path?: string;
    handle: string;
    session_id: string | null;
    title?: string;
    status: string | null;
    start_time: string | null;
    end_time?: string;
    duration_ms?: number;
    timeline_path: string;
    markers_path: string;
    transcript_path: string | null;
    voice_notes_path: string | null;
    digest_path: string | null;
    media_count: number;
    marker_count: number;
    voice_note_count: number;
    errors: number;
    warnings: number;
    clock?: unknown;
    media?: SessionMedia[];
    review_media_id?: string;
  }
  /** A media item of a session. */
  interface SessionMedia {
    id?: string;
    path: string;
    kind?: string;
    mime?: string;
    created_at?: string;
    start_offset_ms?: number;
    duration_ms?: number;
    url?: string;
  }
  /** A session of the list of all. */
  interface SessionRow {
    session_path?: string;
    handle: string;
    session_id: string | null;
    title?: string;
    status: string | null;
    start_time: string | null;
    end_time?: string;
    duration_ms?: number;
    online: boolean;
    paused_at_ms?: number;
    forgotten_since?: string;
    marker_count: number;
    voice_note_count: number;
    errors: number;
    warnings: number;
  }
  /** Where a person stopped listening to a session; without an offset if that is not known. */
  interface Position {
    session_path?: string;
    handle: string;
    session_id: string;
    person: string;
    offset_ms?: number;
    media_id?: string;
    at?: string;
  }
  /** A marker that was written, waits in the queue, or is kept until its session is known. */
  interface WrittenMarker {
    id: string;
    offset_ms?: number;
    session_path?: string;
    handle?: string;
    session_id?: string;
    queued: boolean;
    kept?: boolean;
    wall_time?: string;
  }
  /** A marker after an edit. */
  interface EditedMarker {
    id: string;
    changed: boolean;
    session_path?: string;
    handle: string;
    session_id?: string;
    marker: MarkerRecord;
  }
  /** A marker that was removed. */
  interface RemovedMarker {
    id: string;
    session_path?: string;
    handle: string;
    session_id?: string;
    unlinked: string[];
  }
  /** A marker of the list of all sessions' markers. */
  interface MarkerRow {
    session_path?: string;
    handle: string;
    session_id?: string;
    title?: string;
    online: boolean;
    id: string;
    offset_ms: number;
    wall_time?: string;
    label?: string;
    note?: string;
    voice_note_id?: string;
    tags: string[];
    duration_ms?: number;
    record?: MarkerRecord;
  }
  /** A voice note that was written, waits in the queue, or is kept until its session is known. */
  interface WrittenVoiceNote {
    id: string;
    offset_ms?: number;
    media_path?: string;
    session_path?: string;
    handle?: string;
    session_id?: string;
    queued: boolean;
    kept?: boolean;
    wall_time?: string;
  }
  /** A voice note after an edit. */
  interface EditedVoiceNote {
    id: string;
    session_path?: string;
    handle: string;
    session_id?: string;
    changed: boolean;
    voice_note: VoiceNoteRecord;
  }
  /** What an import of markers did, or would do. */
  interface ImportReport {
    session_path?: string;
    handle: string;
    session_id?: string;
    format: string;
    done: boolean;
    added: number;
    already_there: number;
    differing: number;
    replaced?: number;
    staying_removed?: number;
    removed?: MarkerTakenOut[];
    notices: ImportNotice[];
    markers: ImportedMarker[];
  }
  /** A marker that an import takes out. */
  interface MarkerTakenOut {
    id: string;
    offset_ms: number;
    label?: string;
  }
  /** What was not taken of a file, or how something in it was read. */
  interface ImportNotice {
    about: string;
    count: number;
    names?: string[];
    message: string;
    hint?: string;
    line?: number;
    byte_offset?: number;
  }
  /** A marker of an imported file. */
  interface ImportedMarker {
    result: string;
    id?: string;
    offset_ms: number;
    duration_ms?: number;
    label?: string;
    tags: string[];
    file: string;
    line: number;
    byte_offset: number;
  }
  /** A record or a title that was found. */
  interface SearchHit {
    session_path?: string;
    handle: string;
    session_id?: string;
    title?: string;
    online: boolean;
    kind: string;
    offset_ms?: number;
    wall_time?: string;
    snippet: string;
    record?: MarkerRecord | VoiceNoteRecord | TranscriptRecord | JournalEntry;
  }
  /** What was going on in a session at a moment, or what another journal holds around it. */
  interface Surroundings {
    session_path?: string;
    handle: string;
    session_id?: string;
    title?: string;
    online: boolean;
    offset_ms?: number;
    journal?: string;
    media: CoveringMedia[];
    records: NearbyRecord[];
  }
  /** A media item that covers a moment. */
  interface CoveringMedia {
    id?: string;
    path: string;
    position_ms: number;
  }
  /** A record near a moment. */
  interface NearbyRecord {
    kind: string;
    offset_ms?: number;
    time?: string;
    text?: string;
    record?: MarkerRecord | VoiceNoteRecord | TranscriptRecord | JournalEntry;
  }
  /** A record of a journal, and when it was. */
  interface TimelineRow {
    time: string;
    kind: string;
    id?: string;
    path?: string;
    handle: string;
    title?: string;
    online: boolean;
    entry: string;
    record_id?: string;
    subject?: string;
    text: string;
    record?: TimelineRecord | MarkerRecord | VoiceNoteRecord | TranscriptRecord | ActionRecord | JournalEntry;
  }
  /** A journal of the list of all. */
  interface JournalRow {
    kind: string;
    id?: string;
    path?: string;
    handle: string;
    title?: string;
    records: number;
    first?: string;
    last?: string;
    errors: number;
    warnings: number;
    state: string;
    online: boolean;
  }
  /** A journal, and how much is in it. */
  interface JournalDetails {
    kind: string;
    id?: string;
    path?: string;
    handle: string;
    title?: string;
    records: number;
    first?: string;
    last?: string;
    errors: number;
    warnings: number;
    state: string;
    online: boolean;
    entries: Record<string, number>;
  }
  /** What was practised. */
  interface PracticeRow {
    id: string;
    time: number;
    day: string;
    clock: string;
    text: string;
    game?: string;
    name?: string;
    action?: string;
    task?: string;
    progress?: number;
    video?: PracticeVideo;
    minutes?: number;
    focus?: string;
    score?: number;
    context?: string;
    tournament?: string;
    league_imported?: boolean;
    is_best?: boolean;
    category?: string;
    detail?: string;
    skill?: string;
    competency?: number;
    note?: string;
    editable?: string[];
  }
  /** How far a video was watched. */
  interface PracticeVideo {
    value: string;
    kind?: string;
    source?: string;
    watched_ms?: number;
    length_ms?: number;
  }
  /** The numbers of a game, its alerts, and what is noted about it. */
  interface PracticeGame {
    game: string;
    name: string;
    scores?: PracticeScores;
    score_timeline: PracticeGaps;
    score_entries: PracticeScoreEntry[];
    gaps: PracticeGap[];
    best?: number;
    trend?: number;
    target?: PracticeTarget;
    league_mean?: number;
    progress: PracticeProgress;
    completion: number;
    days_since_practice?: number;
    focus: number;
    alerts: PracticeAlert[];
    group?: string;
    note?: string;
    video_hint?: string;
    rulesheet_offset?: number;
  }
  /** The scores of a game. */
  interface PracticeScores {
    count: number;
    average: number;
    median: number;
    floor: number;
    lower_quartile: number;
    upper_quartile: number;
    spread: number;
    consistency: string;
  }
  /** How the scores of a game are spread over time. */
  interface PracticeGaps {
    active_sessions: number;
    long_gaps: number;
    longest_gap_days: number;
  }
  /** A score. */
  interface PracticeScoreEntry {
    score: number;
    time: number;
    day: string;
    clock: string;
    context: string;
    tournament?: string;
    league_imported: boolean;
  }
  /** A long time without a score. */
  interface PracticeGap {
    from: number;
    to: number;
    days: number;
  }
  /** What is a good score of a game. */
  interface PracticeTarget {
    great: number;
    main: number;
    floor: number;
  }
  /** How far each task of a game is done. */
  interface PracticeProgress {
    playfield: number;
    rulesheet: number;
    tutorialVideo: number;
    gameplayVideo: number;
    practice: number;
  }
  /** What there is to look at. */
  interface PracticeAlert {
    severity: string;
    message: string;
    code: string;
    days?: number;
  }
  /** With which games, filter and venue an app begins. */
  interface PracticeSlots {
    quick: PracticeQuickGames;
    practice_viewed?: PracticeViewedGame;
    library_viewed?: PracticeViewedGame;
    journal_filter?: string;
    library_source?: string;
    league_auto_fill?: string;
    resume?: string;
  }
  /** The games of quick entry. */
  interface PracticeQuickGames {
    score?: string;
    study?: string;
    practice?: string;
    mechanics?: string;
  }
  /** A game that was looked at. */
  interface PracticeViewedGame {
    game: string;
    time?: number;
  }
  /** How much a game needs practice. */
  interface PracticeFocus {
    game: string;
    name: string;
    focus: number;
    completion: number;
  }
  /** A group of games. */
  interface PracticeGroup {
    id?: string;
    name: string;
    type: string;
    games: string[];
    active: boolean;
    archived: boolean;
    priority: boolean;
    selected: boolean;
    start?: number;
    end?: number;
    first_day?: string;
    last_day?: string;
    completion: number;
    stale_games: number;
    weaker_games: number;
    recommended?: string;
  }
  /** How a flipper skill has been. */
  interface PracticeSkill {
    skill: string;
    logs: number;
    series: number[];
    latest?: number;
    average?: number;
    trend?: number;
  }
  /** What was scored on a machine of a league. */
  interface LeagueMachine {
    machine: string;
    game?: string;
    count: number;
    low: number;
    high: number;
    mean: number;
    median: number;
    deviation: number;
    low_player: string;
    high_player: string;
    low_season?: number;
    high_season?: number;
  }
  /** A score in a league. */
  interface LeagueScore {
    season: number;
    bank: number;
    player: string;
    you: boolean;
    machine: string;
    game?: string;
    score: number;
    points: number;
    date?: string;
  }
  /** A place in the standings of a league. */
  interface LeaguePlace {
    season: number;
    position: number;
    rank: number;
    player: string;
    you: boolean;
    points: number;
    eligible?: boolean;
    nights?: number;
    banks: number[];
  }
  /** What is a good score of a game. */
  interface LeagueTarget {
    name: string;
    game?: string;
    match: string;
    bank?: number;
    great: number;
    main: number;
    floor: number;
  }
  /** The bank that a player plays next. */
  interface LeagueNextBank {
    label: string;
    bank: number;
    targets: LeagueTarget[];
  }
  /** The bank that a player played last. */
  interface LeagueEvening {
    label: string;
    player: string;
    season: number;
    bank: number;
    rows: LeagueScore[];
  }
  /** Two players, by the games that both have scores for. */
  interface LeagueComparison {
    you: string;
    them: string;
    games: LeagueComparedGame[];
    you_lead: number;
    they_lead: number;
    average_delta?: number;
  }
  /** A game that two players have scores for. */
  interface LeagueComparedGame {
    game: string;
    name: string;
    you: LeagueComparedScores;
    them: LeagueComparedScores;
    delta: number;
  }
  /** A player's scores of a game. */
  interface LeagueComparedScores {
    count: number;
    mean: number;
    high: number;
    low: number;
  }
  /** A game of the library. */
  interface LibraryGame {
    game: string;
    id: string;
    slug: string;
    name: string;
    source: string;
    source_name?: string;
    bank?: number;
    group?: number;
    position?: number;
    machine?: string;
    manufacturer?: string;
    variant?: string;
    type?: string;
    display?: string;
    year?: number;
    area?: string;
    played: boolean;
    tutorials: number;
    gameplays: number;
    rulesheet_url?: string;
    playfield_url?: string;
    rulesheet_file?: string;
    playfield_file?: string;
    gameinfo_file?: string;
    rulesheets: LibraryRulesheet[];
    videos: LibraryVideo[];
  }
  /** A rulesheet of a game. */
  interface LibraryRulesheet {
    label?: string;
    url: string;
  }
  /** A video of a game. */
  interface LibraryVideo {
    kind: string;
    label?: string;
    url?: string;
  }
  /** What an emptied journal has lost, or would lose. */
  interface PracticeCleared {
    rows: number;
    records: number;
    groups: number;
    log_entries: number;
    done: boolean;
  }
  /** What breaks a rule in a session. */
  interface SessionFindings {
    session_path?: string;
    handle?: string;
    session_id?: string;
    file?: string;
    findings: Finding[];
  }
  /** A violation of a rule. */
  interface Finding {
    rule: string;
    severity: string;
    file: string;
    line?: number;
    column?: number;
    byte_offset?: number;
    message: string;
    cure: string;
  }
  /** A rule of the format. */
  interface Rule {
    rule: string;
    severity: string;
    group: string;
    summary: string;
    cure: string;
    example?: string;
    file?: string;
    before?: string[];
    after?: string[];
  }
  /** An entry that waits in a spool. */
  interface WaitingEntry {
    id: string;
    spool?: string;
    kind?: string;
    session_id?: string;
    journal_id?: string;
    created_at?: string;
    device?: string;
    reason?: string;
    problem?: string;
  }
  /** A place that holds an entry of the queue. */
  interface QueueItem {
    id: string;
    state: string;
    reason?: string;
    conflicts?: MemberConflict[];
    place: string;
    file?: string;
    audio?: string;
    kind?: string;
    session_path?: string;
    handle?: string;
    session_id?: string;
    journal_path?: string;
    journal_id?: string;
    created_at?: string;
    device?: string;
    payload?: unknown;
  }
  /** A member that is neither as the sender of a change saw it nor as they want it. */
  interface MemberConflict {
    member: string;
    was: unknown;
    now: unknown;
    set: unknown;
  }
  /** The outcome of an entry of the queue. */
  interface DrainOutcome {
    id: string;
    result: string;
    reason?: string;
    conflicts?: MemberConflict[];
    kind?: string;
    session_path?: string;
    handle?: string;
    session_id?: string;
    journal_path?: string;
    journal_id?: string;
    spool?: string;
  }
  /** An entry that was dropped from the queue. */
  interface DroppedEntry {
    id: string;
    file?: string;
  }
  /** The outcome of one record of an export of the phone app. */
  interface QueueImportOutcome {
    id: string;
    result: string;
    reason?: string;
    kind: string;
    offset_ms: number;
    file: string;
    line: number;
    byte_offset: number;
  }
  /** A run of an action, or a request for one. */
  interface ActionRun {
    id: string;
    action: string;
    state: string;
    created_at?: string;
    error?: string;
  }
  /** A request for an action that was declined. */
  interface DeclinedRequest {
    id: string;
    action?: string;
    status: string;
    error: string;
    session_path?: string;
    handle: string;
    session_id?: string;
  }
  /** A summary of a session. */
  interface Digest {
    handle: string;
    words: DigestWords | null;
    session_id?: string;
    title?: string;
    status?: string;
    start_time?: string;
    duration_ms?: number;
    counts: DigestCounts;
    timeline?: DigestTimeline;
    notable_moments: Moment[];
    fixes: Moment[];
    voice_notes: DigestVoiceNote[];
    actions: DigestAction[];
    problems: DigestProblem[];
    more: DigestRest;
  }
  /** Markdown as a tree; everything in it is text. */
  interface DigestWords {
    blocks: DigestBlock[];
  }
  /** How much is in a session. */
  interface DigestCounts {
    markers: number;
    voice_notes: number;
    actions: number;
    highlight: number;
    structure: number;
    texture_sample: number;
    fix_review: number;
    errors: number;
    warnings: number;
  }
  /** How the records of a session are spread. */
  interface DigestTimeline {
    cell_count: number;
    counts: number[];
  }
  /** A marker in a digest. */
  interface Moment {
    id: string;
    offset_ms: number;
    duration_ms?: number;
    label?: string;
    note?: string;
    tags: string[];
    voice_note_id?: string;
  }
  /** A voice note in a digest. */
  interface DigestVoiceNote {
    id: string;
    offset_ms: number;
    duration_ms: number;
    transcript_text?: string;
  }
  /** A run of an action in a digest. */
  interface DigestAction {
    id: string;
    action: string;
    status: string;
    created_at?: string;
    error?: string;
  }
  /** A finding in a digest. */
  interface DigestProblem {
    severity: string;
    rule: string;
    file: string;
    message: string;
    line: number;
    byte_offset: number;
  }
  /** How many are left out of the lists of a digest. */
  interface DigestRest {
    notable_moments: number;
    fixes: number;
    voice_notes: number;
    actions: number;
    problems: number;
  }
  /** A summary of several sessions. */
  interface PracticeDigest {
    session_count: number;
    day_count: number;
    duration_ms: number;
    counts: PracticeCounts;
    days: PracticeDay[];
    sessions: PracticeSession[];
    fixes: PracticeFix[];
    actions: PracticeAction[];
    more: PracticeRest;
  }
  /** How much is in several sessions. */
  interface PracticeCounts {
    markers: number;
    voice_notes: number;
    highlight: number;
    structure: number;
    texture_sample: number;
    fix_review: number;
    errors: number;
    warnings: number;
  }
  /** What was played on a day. */
  interface PracticeDay {
    date: string;
    session_count: number;
    marker_count: number;
    duration_ms: number;
  }
  /** A session in a digest of several. */
  interface PracticeSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    title?: string;
    status?: string;
    start_time?: string;
    duration_ms?: number;
    counts: DigestCounts;
    notable_moments: Moment[];
  }
  /** A marker of something to be fixed. */
  interface PracticeFix {
    session_path?: string;
    handle: string;
    id: string;
    offset_ms: number;
    duration_ms?: number;
    label?: string;
    note?: string;
    tags: string[];
    voice_note_id?: string;
  }
  /** A run of an action that failed or waits. */
  interface PracticeAction {
    session_path?: string;
    handle: string;
    id: string;
    action: string;
    status: string;
    created_at?: string;
    error?: string;
  }
  /** How many are left out of the lists of a digest of several sessions. */
  interface PracticeRest {
    sessions: number;
    fixes: number;
    actions: number;
  }
  /** A digest that was written. */
  interface WrittenDigest {
    session_path?: string;
    handle: string;
    session_id?: string;
    changed: boolean;
  }
  /** The state of the daemon, the roots, the queue and the index. */
  interface Status {
    daemon: DaemonStatus | null;
    roots: RootStatus[];
    sessions: number;
    journals: Record<string, number>;
    active: number;
    paused: number;
    forgotten: ForgottenSession[];
    errors: number;
    warnings: number;
    queue: SpoolStatus[];
    failed: number;
    unplaced: number;
    lost: number;
    deleted_sessions: number;
    state_problem?: string;
    index: IndexStatus;
  }
  /** The running daemon. */
  interface DaemonStatus {
    pid: number;
    ready: boolean;
    polled: number;
    problem?: string;
    since?: string;
    ailment?: string;
    roots?: string[];
    listening?: string[];
    listen_problems?: string[];
  }
  /** A configured root. */
  interface RootStatus {
    path?: string;
    online: boolean;
    watching?: string;
  }
  /** An active session in which nothing has happened for a long time. */
  interface ForgottenSession {
    session_path?: string;
    handle: string;
    session_id?: string;
    forgotten_since: string;
  }
  /** A spool. */
  interface SpoolStatus {
    spool?: string;
    waiting: number;
    awaiting_audio?: number;
    problem?: string;
  }
  /** The index. */
  interface IndexStatus {
    path?: string;
    lagging: number;
    outdated?: boolean;
    problem?: string;
  }
  /** A token, without its secret. */
  interface Token {
    id: string;
    name: string;
    person: string;
    scope: string;
    sessions?: string[];
    journals?: string[];
    roots?: string[];
    link: boolean;
    created_at: string;
    expires_at?: string;
    expired: boolean;
    last_used_at?: string;
    last_address?: string;
  }
  /** What went wrong. */
  interface Problem {
    type: string;
    title: string;
    status: number;
    code: string;
    detail: string;
    hint?: string;
    place?: string;
    present?: unknown;
    conflicts?: MemberConflict[];
    instance: string;
    retry_after_ms?: number;
  }
  /** The server, and what the caller may do. */
  interface Server {
    version: string;
    now: string;
    token: ServerToken;
    limits: ServerLimits;
    features: ServerFeatures;
  }
  /** The caller's token. */
  interface ServerToken {
    id?: string;
    name?: string;
    person: string;
    scope: string;
    filtered: boolean;
    sessions?: string[];
    journals?: string[];
    expires_at?: string;
  }
  /** How much may be sent and asked for at once. */
  interface ServerLimits {
    body_bytes: number;
    page_rows: number;
    queue_entries: number;
    audio_bytes: number;
  }
  /** What the server can do beyond the files of sessions. */
  interface ServerFeatures {
    ffmpeg: boolean;
    speech: boolean;
    run_actions: boolean;
  }
  /** How the markers of a session are spread over a stretch of it. */
  interface Strip {
    cells: number;
    offset_min: number;
    offset_max: number;
    total: number;
    categories: Record<string, number[]>;
    before: number[];
  }
  /** The outcome of sending a record. */
  interface Delivery {
    id?: string;
    result: string;
    reason?: string;
    conflicts?: MemberConflict[];
    code?: string;
    record?: MarkerRecord | VoiceNoteRecord | ActionRecord;
    warnings?: string[];
  }
  /** The actions that the server has programs for. */
  interface ActionPrograms {
    programs: string[];
    run_actions: boolean;
  }
  /** A run of an action with its inputs and outputs. */
  interface WholeActionRun {
    id: string;
    action: string;
    state: string;
    created_at?: string;
    error?: string;
    inputs?: unknown;
    outputs?: unknown;
  }
  /** An address of a recording that needs no token. */
  interface MediaLink {
    url: string;
    expires: string;
  }
  /** A token that was given to a device. */
  interface PairedToken {
    token: string;
    id: string;
    name: string;
    scope: string;
  }
  /** A block of Markdown. */
  interface DigestBlock {
    type: string;
    level?: number;
    inlines?: DigestInline[];
    ordered?: boolean;
    start?: number;
    items?: DigestBlock[][];
    blocks?: DigestBlock[];
    text?: string;
    header?: DigestInline[][];
    rows?: DigestInline[][][];
  }
  /** A part of a line of Markdown. */
  interface DigestInline {
    type: string;
    text?: string;
    inlines?: DigestInline[];
    href?: string;
    offset_ms?: number;
  }
  /** A kind of journal: what can be written into its journals, and asked of them. */
  interface Kind {
    name: string;
    title: string;
    summary?: string;
    page: boolean;
    operations: KindOperation[];
    questions: KindQuestion[];
  }
  /** What an entry of the queue does in a journal. */
  interface KindOperation {
    kind: string;
    name: string;
    summary: string;
    makes_records: boolean;
    subject?: string;
    parameters: KindParameter[];
  }
  /** What an operation or a question takes. */
  interface KindParameter {
    name: string;
    summary: string;
    required: boolean;
    repeated: boolean;
    standard?: string;
    rest?: boolean;
    value: KindValue;
  }
  /** What a value may be. */
  interface KindValue {
    type: string;
    words?: string[];
    minimum?: number;
    maximum?: number;
    max_bytes?: number;
    items?: KindValue;
    members?: KindParameter[];
  }
  /** What a journal is asked. */
  interface KindQuestion {
    path: string;
    view?: string;
    usual: boolean;
    summary: string;
    schema: string;
    list: boolean;
    parameters: KindParameter[];
    columns: string[];
  }
  /** A record as it is in the session, valid or not; 'trace schema session' prints what the format requires. */
  interface SessionRecord {}
  /** A record as it is in the session, valid or not; 'trace schema timeline' prints what the format requires. */
  interface TimelineRecord {}
  /** A record as it is in the session, valid or not; 'trace schema marker' prints what the format requires. */
  interface MarkerRecord {}
  /** A record as it is in the session, valid or not; 'trace schema voice_note' prints what the format requires. */
  interface VoiceNoteRecord {}
  /** A record as it is in the session, valid or not; 'trace schema transcript' prints what the format requires. */
  interface TranscriptRecord {}
  /** A record as it is in the session, valid or not; 'trace schema action' prints what the format requires. */
  interface ActionRecord {}
  /** A file <id>.json of a spool. 'trace queue check' also compares the ids, the file's name and the audio.. */
  interface QueueEntry {
    id: string;
    kind: "marker" | "voice_note" | "action_request" | "marker.edit" | "marker.remove" | "voice_note.edit" | "voice_note.remove" | "session.start" | "session.pause" | "session.resume" | "session.close" | "session.edit";
    session_id: string;
    created_at: string;
    device?: string;
    payload: Record<string, unknown>;
    attachment?: { name: string; size: number; sha256: string | null; } | null;
  }
  /** A record of a journal other than a session, as it is in the file. */
  interface JournalEntry {}
  /** An entry of the queue for a practice journal. */
  interface PracticeEntry {
    id: string;
    kind: "practice.task" | "practice.video" | "practice.score" | "practice.note" | "practice.mechanics" | "practice.browse" | "practice.resume" | "practice.library" | "practice.slots" | "practice.gamenote" | "practice.edit" | "practice.delete" | "practice.settings" | "practice.canonicalise" | "practice.group.create" | "practice.group.edit" | "practice.group.reorder" | "practice.group.priority" | "practice.group.archive" | "practice.group.unarchive" | "practice.group.select" | "practice.group.delete" | "practice.league_import" | "practice.league_purge";
    journal_id: string;
    created_at: string;
    device?: string;
    payload: Record<string, unknown>;
  }

  /** What a request answers with; of one that is not in the list, nobody knows. */
  type Answer<Request extends string> =
    Request extends `POST sessions/${string}/actions/${string}/decline` ? DeclinedRequest :
    Request extends `POST sessions/${string}/media/${string}/link` ? MediaLink :
    Request extends `GET sessions/${string}/media/${string}/peaks` ? unknown :
    Request extends `DELETE sessions/${string}/voice-notes/${string}/audio` ? undefined :
    Request extends `GET sessions/${string}/voice-notes/${string}/audio` ? unknown :
    Request extends `PATCH sessions/${string}/voice-notes/${string}/audio` ? Delivery :
    Request extends `PUT sessions/${string}/voice-notes/${string}/audio` ? Delivery :
    Request extends `POST journals/${string}/practice/clear` ? PracticeCleared :
    Request extends `GET journals/${string}/practice/focus` ? PracticeFocus[] :
    Request extends `GET journals/${string}/practice/game` ? PracticeGame :
    Request extends `GET journals/${string}/practice/groups` ? PracticeGroup[] :
    Request extends `GET journals/${string}/practice/journal` ? PracticeRow[] :
    Request extends `GET journals/${string}/practice/league` ? LeagueMachine[] | LeagueScore[] | LeaguePlace[] | LeagueTarget[] | LeagueNextBank | LeagueEvening | LeagueComparison :
    Request extends `GET journals/${string}/practice/library` ? LibraryGame[] :
    Request extends `GET journals/${string}/practice/mechanics` ? PracticeSkill[] :
    Request extends `GET journals/${string}/practice/slots` ? PracticeSlots :
    Request extends `POST sessions/${string}/digest/generate` ? WrittenDigest :
    Request extends `PUT journals/${string}/replica/${string}` ? unknown :
    Request extends `GET sessions/${string}/actions/${string}` ? WholeActionRun :
    Request extends `PUT sessions/${string}/actions/${string}` ? Delivery :
    Request extends `GET sessions/${string}/files/${string}` ? unknown :
    Request extends `DELETE sessions/${string}/markers/${string}` ? undefined :
    Request extends `GET sessions/${string}/markers/${string}` ? MarkerRecord :
    Request extends `PATCH sessions/${string}/markers/${string}` ? EditedMarker :
    Request extends `PUT sessions/${string}/markers/${string}` ? Delivery :
    Request extends `GET sessions/${string}/media/${string}` ? unknown :
    Request extends `GET sessions/${string}/voice-notes/${string}` ? VoiceNoteRecord :
    Request extends `PATCH sessions/${string}/voice-notes/${string}` ? EditedVoiceNote :
    Request extends `PUT sessions/${string}/voice-notes/${string}` ? Delivery :
    Request extends `POST bin/${string}/restore` ? RestoredSession :
    Request extends `GET journals/${string}/document` ? unknown :
    Request extends `GET journals/${string}/findings` ? SessionFindings[] :
    Request extends `GET journals/${string}/records` ? TimelineRow[] :
    Request extends `POST queue/${string}/drop` ? DroppedEntry :
    Request extends `POST queue/${string}/retry` ? DrainOutcome :
    Request extends `GET sessions/${string}/actions` ? ActionRun[] :
    Request extends `POST sessions/${string}/close` ? ClosedSession :
    Request extends `GET sessions/${string}/digest` ? Digest :
    Request extends `PUT sessions/${string}/digest` ? WrittenDigest :
    Request extends `POST sessions/${string}/edit` ? EditedSession :
    Request extends `GET sessions/${string}/export` ? unknown :
    Request extends `GET sessions/${string}/findings` ? SessionFindings[] :
    Request extends `POST sessions/${string}/import` ? ImportReport :
    Request extends `GET sessions/${string}/markers` ? MarkerRecord[] :
    Request extends `POST sessions/${string}/markers` ? Delivery :
    Request extends `POST sessions/${string}/pause` ? PausedSession :
    Request extends `POST sessions/${string}/phone-import` ? QueueImportOutcome[] :
    Request extends `GET sessions/${string}/position` ? Position :
    Request extends `PUT sessions/${string}/position` ? Position :
    Request extends `POST sessions/${string}/resume` ? ResumedSession :
    Request extends `GET sessions/${string}/strip` ? Strip :
    Request extends `GET sessions/${string}/timeline` ? TimelineRecord[] :
    Request extends `GET sessions/${string}/transcript` ? TranscriptRecord[] :
    Request extends `GET sessions/${string}/voice-notes` ? VoiceNoteRecord[] :
    Request extends `POST queue/flush` ? DrainOutcome[] :
    Request extends `GET journals/${string}` ? JournalDetails :
    Request extends `GET queue/${string}` ? QueueItem[] :
    Request extends `PUT queue/${string}` ? Delivery :
    Request extends `GET rules/${string}` ? Rule :
    Request extends `DELETE sessions/${string}` ? DeletedSession :
    Request extends `GET sessions/${string}` ? SessionDetails :
    Request extends `PUT sessions/${string}` ? CreatedSession :
    Request extends `DELETE tokens/${string}` ? undefined :
    Request extends `GET ` ? Server :
    Request extends `GET actions` ? ActionPrograms :
    Request extends `GET at` ? Surroundings[] :
    Request extends `GET bin` ? DeletedSession[] :
    Request extends `GET digest` ? PracticeDigest :
    Request extends `GET events` ? string :
    Request extends `GET findings` ? SessionFindings[] :
    Request extends `GET journals` ? JournalRow[] :
    Request extends `GET kinds` ? Kind[] :
    Request extends `POST login` ? undefined :
    Request extends `POST logout` ? undefined :
    Request extends `GET markers` ? MarkerRow[] :
    Request extends `POST pair` ? PairedToken :
    Request extends `GET queue` ? (WaitingEntry | QueueItem)[] :
    Request extends `POST queue` ? string :
    Request extends `GET rules` ? Rule[] :
    Request extends `GET search` ? SearchHit[] :
    Request extends `GET sessions` ? SessionRow[] :
    Request extends `GET status` ? Status :
    Request extends `GET timeline` ? TimelineRow[] :
    Request extends `GET tokens` ? Token[] :
    unknown;
}
