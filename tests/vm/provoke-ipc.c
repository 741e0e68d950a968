// SPDX-License-Identifier: GPL-2.0
/*
 * System V IPC. What is tested is told by its key, its id or its address.
 */
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "provoke.h"

#define KEY	   0x4c4b5354
#define FLAGS	   (IPC_CREAT | IPC_EXCL | 0600)
#define SEMAPHORES 3
#define OPERATIONS 7
#define REFUSED	   2
#define MESSAGES   5
#define TEXT	   24
#define ROOM	   60
#define PAGES	   3
#define ATTACHED   4
#define SIGNALS	   6

/* As the kernel keeps a result in an argument. */
#define RESULT(n, value) ARG(n, (int64_t)(value))

static int got(int id, const char *what)
{
	if (id < 0)
		bail_out(what);
	return id;
}

static void semaphores(void)
{
	struct sembuf up[2] = { { .sem_num = 0, .sem_op = 1 }, { .sem_num = 1, .sem_op = 1 } };
	struct sembuf down = { .sem_num = 2, .sem_op = -1, .sem_flg = IPC_NOWAIT };
	const struct timespec second = { .tv_sec = 1 };
	int id = got(semget(KEY, SEMAPHORES, FLAGS), "semget"), i;

	for (i = 0; i < OPERATIONS; i++)
		got(i % 2 ? semop(id, up, 2) : semtimedop(id, up, 2, &second), "semop");
	for (i = 0; i < REFUSED; i++)
		if (semop(id, &down, 1) != -1 || errno != EAGAIN)
			bail_out("semop that would wait");
	if (semget(KEY, SEMAPHORES, FLAGS) != -1 || errno != EEXIST)
		bail_out("semget, again");
	got(semctl(id, 0, IPC_RMID), "semctl");

	expect(1, "ipc_semget", ARG(1, KEY), BOTH(2, SEMAPHORES, FLAGS), RESULT(3, id));
	expect(1, "ipc_semget", ARG(1, KEY), BOTH(2, SEMAPHORES, FLAGS), RESULT(3, -EEXIST));
	expect(2, "ipc_semget", ARG(1, KEY));
	expect(OPERATIONS, "ipc_semop", ARG(1, id), ARG(2, 2), RESULT(3, 0));
	expect(REFUSED, "ipc_semop", ARG(1, id), ARG(2, 1), RESULT(3, -EAGAIN));
	expect(OPERATIONS + REFUSED, "ipc_semop", .thread = gettid_own());
}

static void messages(void)
{
	struct {
		long type;
		char text[ROOM];
	} message = { .type = 1 };
	int id = got(msgget(KEY, FLAGS), "msgget"), i;

	for (i = 0; i < MESSAGES; i++)
		got(msgsnd(id, &message, TEXT, IPC_NOWAIT), "msgsnd");
	for (i = 0; i < MESSAGES; i++)
		if (got(msgrcv(id, &message, ROOM, 0, MSG_NOERROR), "msgrcv") != TEXT)
			bail_out("msgrcv");
	if (msgrcv(id, &message, ROOM, 0, IPC_NOWAIT) != -1 || errno != ENOMSG)
		bail_out("msgrcv of nothing");
	got(msgctl(id, IPC_RMID, NULL), "msgctl");

	expect(1, "ipc_msgget", ARG(1, KEY), ARG(2, FLAGS), RESULT(3, id));
	expect(1, "ipc_msgget", ARG(1, KEY));
	expect(MESSAGES, "ipc_msgsnd", ARG(1, id), BOTH(2, TEXT, IPC_NOWAIT), RESULT(3, 0));
	expect(MESSAGES, "ipc_msgsnd", .thread = gettid_own());
	expect(MESSAGES, "ipc_msgrcv", ARG(1, id), BOTH(2, ROOM, MSG_NOERROR), RESULT(3, TEXT));
	expect(1, "ipc_msgrcv", ARG(1, id), BOTH(2, ROOM, IPC_NOWAIT), RESULT(3, -ENOMSG));
	expect(MESSAGES + 1, "ipc_msgrcv", .thread = gettid_own());
}

static void shared_memory(void)
{
	const size_t size = PAGES * 4096;
	/* A place that is free. */
	char *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int id = got(shmget(KEY, size, FLAGS), "shmget"), i;

	if (at == MAP_FAILED)
		bail_out("mmap");
	munmap(at, size);
	for (i = 0; i < ATTACHED; i++) {
		if (shmat(id, at, SHM_RDONLY) != at)
			bail_out("shmat");
		got(shmdt(at), "shmdt");
	}
	if (shmdt(at) != -1 || errno != EINVAL)
		bail_out("shmdt of nothing");
	got(shmctl(id, IPC_RMID, NULL), "shmctl");
	if (shmat(id, at, SHM_RDONLY) != (void *)-1)
		bail_out("shmat of nothing");

	expect(1, "ipc_shmget", ARG(1, KEY), ARG(2, size), ARG(3, FLAGS), RESULT(4, id));
	expect(1, "ipc_shmget", ARG(1, KEY));
	expect(ATTACHED, "ipc_shmat", ARG(1, id), ARG(2, SHM_RDONLY), RESULT(3, 0),
	       ARG(4, (uintptr_t)at));
	expect(1, "ipc_shmat", ARG(1, id), ARG(2, SHM_RDONLY), RESULT(3, -EINVAL));
	expect(ATTACHED + 1, "ipc_shmat", .thread = gettid_own());
	expect(ATTACHED, "ipc_shmdt", ARG(1, (uintptr_t)at), RESULT(2, 0));
	expect(1, "ipc_shmdt", ARG(1, (uintptr_t)at), RESULT(2, -EINVAL));
	expect(ATTACHED + 1, "ipc_shmdt", .thread = gettid_own());
}

static void on_signal(int signal)
{
	(void)signal;
}

/* A handler returns by a system call that has no number when it ends. */
static void signals(void)
{
	struct sigaction action = { .sa_handler = on_signal }, old;
	int i;

	sigaction(SIGUSR1, &action, &old);
	for (i = 0; i < SIGNALS; i++)
		raise(SIGUSR1);
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i < SIGNALS; i++)
		raise(SIGUSR1);
	sigaction(SIGUSR1, &old, NULL);

	expect(0, "ipc_semget", .thread = gettid_own());
	expect(0, "ipc_semop", .thread = gettid_own());
	expect(0, "ipc_msgget", .thread = gettid_own());
	expect(0, "ipc_msgsnd", .thread = gettid_own());
	expect(0, "ipc_msgrcv", .thread = gettid_own());
	expect(0, "ipc_shmget", .thread = gettid_own());
	expect(0, "ipc_shmat", .thread = gettid_own());
	expect(0, "ipc_shmdt", .thread = gettid_own());
}

const struct test ipc_tests[] = {
	{ "semaphores", "ipc_semget ipc_semop", semaphores },
	{ "message-queues", "ipc_msgget ipc_msgsnd ipc_msgrcv", messages },
	{ "shared-memory", "ipc_shmget ipc_shmat ipc_shmdt", shared_memory },
	{ "signals",
	  "ipc_semget ipc_semop ipc_msgget ipc_msgsnd ipc_msgrcv ipc_shmget ipc_shmat ipc_shmdt",
	  signals },
	{},
};
