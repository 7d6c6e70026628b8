package dev.touchstone.builds.master;

import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.FromAgent;
import dev.touchstone.builds.wire.ToAgent;
import dev.touchstone.builds.wire.ToAgent.Credit;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that appends what agents send of their logs, and lets them send more when it has: no agent has more than a window on its way, whatever
 * happens to those who read.
 */
final class LogService {
    private static final Logger LOG = System.getLogger(LogService.class.getName());
    private static final int MAX_MESSAGES = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(2);

    private final Mailbox mailbox;
    private final LogStore logs;
    private final Sessions sessions;
    private final LongConsumer grown;
    private final LongConsumer watched;
    private final Map<Long, Credits> credits = new HashMap<>();
    private final Thread thread;

    /** What an agent is to be told. */
    private static final class Credits {
        final ArrayDeque<Term> waiting = new ArrayDeque<>();
        final Column jobs = new Column();
        final Column epochs = new Column();
        final Column offsets = new Column();

        boolean flush(Mailbox from, AgentSession to) {
            if (!jobs.isEmpty()) {
                waiting.add(new Credit(jobs, epochs, offsets).toTerm());
                jobs.clear();
                epochs.clear();
                offsets.clear();
            }
            return AgentSession.sendAll(from, to.pid, waiting);
        }
    }

    /**
     * @param grown told of jobs whose log has grown
     * @param watched told of those of them that somebody watches
     */
    LogService(
            Mailbox mailbox,
            LogStore logs,
            Sessions sessions,
            LongConsumer grown,
            LongConsumer watched,
            Master.Supervisor supervisor) {
        this.mailbox = mailbox;
        this.logs = logs;
        this.sessions = sessions;
        this.grown = grown;
        this.watched = watched;
        this.thread = supervisor.thread("builds-logs", this::run);
    }

    void start() {
        thread.start();
    }

    private void run() throws InterruptedException {
        boolean all = true;
        while (true) {
            Term message = receive(all ? PATIENCE : SHORT_PATIENCE);
            for (int i = 0; message != null; i++) {
                handle(message);
                message = i < MAX_MESSAGES ? receive(Duration.ZERO) : null;
            }
            all = flush();
        }
    }

    private @Nullable Term receive(Duration patience) throws InterruptedException {
        while (true) {
            try {
                return mailbox.receive(patience);
            } catch (MessagingException.Malformed e) {
                sessions.countMalformed(e.getMessage());
            }
        }
    }

    private void handle(Term message) {
        try {
            if (FromAgent.parse(message) instanceof FromAgent.Log log) {
                append(log);
            } else {
                sessions.countMalformed("not for this mailbox");
            }
        } catch (WireException e) {
            sessions.countMalformed(e.getMessage());
        }
    }

    private void append(FromAgent.Log message) {
        AgentSession session = sessions.agent(message.session());
        JobLog log = logs.find(message.job());
        if (session == null || log == null) {
            sessions.countStale();
            return;
        }
        JobLog.Verdict verdict;
        try {
            verdict = log.append(
                    message.attempt(),
                    message.epoch(),
                    message.offset(),
                    message.bytes().asByteBuffer());
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "log cannot be written, and is asked for again: job=" + message.job(), e);
            return;
        }
        if (verdict == JobLog.Verdict.STALE) {
            sessions.countStale();
        }
        if (verdict != JobLog.Verdict.APPENDED) {
            return;
        }
        long offset = log.credit(ToAgent.WINDOW);
        if (offset >= 0) {
            Credits to = credits.computeIfAbsent(session.id, unused -> new Credits());
            to.jobs.add(message.job());
            to.epochs.add(message.epoch());
            to.offsets.add(offset);
        }
        logs.checkComplete(message.job(), log);
        grown.accept(message.job());
        if (log.takeWatched()) {
            watched.accept(message.job());
        }
    }

    private boolean flush() {
        boolean all = true;
        for (Iterator<Map.Entry<Long, Credits>> each = credits.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Long, Credits> entry = each.next();
            AgentSession session = sessions.agent(entry.getKey());
            if (session == null || entry.getValue().flush(mailbox, session)) {
                each.remove();
            } else {
                all = false;
            }
        }
        return all;
    }
}
