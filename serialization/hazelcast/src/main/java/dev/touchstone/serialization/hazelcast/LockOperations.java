package dev.touchstone.serialization.hazelcast;

import java.util.concurrent.TimeUnit;

/**
 * Locks on keys of a map, each for a thread of an instance. An entry whose key is locked is changed by that thread alone; others wait. Locks
 * are reentrant. Programs may implement this for their tests; methods may be added.
 *
 * @param <K> the keys of the map
 */
public interface LockOperations<K> {
    /**
     * Locks a key for this thread, and waits for it as long as need be. There need be no such entry.
     *
     * @param key the key, not null
     */
    void lock(K key);

    /**
     * Locks a key for this thread, for some time at most.
     *
     * @param key the key, not null
     * @param lease time after which the lock ends by itself
     * @param leaseUnit unit of the lease
     */
    void lock(K key, long lease, TimeUnit leaseUnit);

    /**
     * Locks a key for this thread, if nobody else has it.
     *
     * @param key the key, not null
     * @return whether it is locked for this thread now
     */
    boolean tryLock(K key);

    /**
     * Locks a key for this thread, and waits for it some time.
     *
     * @param key the key, not null
     * @param time how long to wait at most
     * @param waitUnit unit of the wait
     * @return whether it is locked for this thread now
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    boolean tryLock(K key, long time, TimeUnit waitUnit) throws InterruptedException;

    /**
     * Locks a key for this thread, for some time at most, and waits for it some time.
     *
     * @param key the key, not null
     * @param time how long to wait at most
     * @param waitUnit unit of the wait
     * @param lease time after which the lock ends by itself
     * @param leaseUnit unit of the lease
     * @return whether it is locked for this thread now
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    boolean tryLock(K key, long time, TimeUnit waitUnit, long lease, TimeUnit leaseUnit) throws InterruptedException;

    /**
     * Unlocks a key that this thread has locked.
     *
     * @param key the key, not null
     * @throws IllegalMonitorStateException if this thread has not locked it
     */
    void unlock(K key);

    /**
     * Unlocks a key, whoever has locked it.
     *
     * @param key the key, not null
     */
    void forceUnlock(K key);

    /**
     * Returns whether a key is locked by anybody.
     *
     * @param key the key, not null
     * @return whether it is
     */
    boolean isLocked(K key);
}
