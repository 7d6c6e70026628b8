package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.queue.peer.JournalUnderTest;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A subject of the queue's benchmarks, with what it promises.
 *
 * @param declared the subject as the matrix declares it
 */
record QueueSubject(DeclaredSubject declared) {

    /** Returns the subject of a name, which is a value of the parameter {@code subject}. */
    static QueueSubject of(String name) {
        return new QueueSubject(DeclaredSubject.of(name));
    }

    /** Returns the name in the matrix. */
    String name() {
        return declared.name();
    }

    /** Returns the level's first words, which must be alike for subjects to be compared: {@code durable}, {@code page cache}, {@code memory}. */
    String promise() {
        return declared.level().replaceFirst(",.*", "");
    }

    /** Returns whether a record is on the device once {@code write} has returned. */
    boolean durable() {
        return promise().equals("durable");
    }

    /** Returns whether a record is at least in the page cache once {@code write} has returned, where a queue opened later finds it. */
    boolean survivesKill() {
        return !ceiling() && !promise().equals("memory");
    }

    /** Returns whether this is a physical limit and not a queue. */
    boolean ceiling() {
        return declared.ceiling();
    }

    /** Returns whether records can be read one by one: not from a ceiling, and not from a journal, which only loads them all. */
    boolean fifo() {
        return !ceiling() && !declared.opens(JournalUnderTest.class);
    }

    /** Opens the subject in {@code folder}, which exists; what an earlier one left there is found again. */
    QueueUnderTest open(Path folder) throws IOException {
        return declared.open(QueueUnderTest.class, folder);
    }

    @Override
    public String toString() {
        return name();
    }
}
