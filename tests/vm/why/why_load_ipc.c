// SPDX-License-Identifier: GPL-2.0
/* Processes that wait for each other. */
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "why_load.h"

static int first[2], second[2];
static int number;
static pid_t victim;
static char byte;

static void read_byte(int fd)
{
	bail_if(read(fd, &byte, 1) != 1, "read");
}

static void write_byte(int fd)
{
	bail_if(write(fd, &byte, 1) != 1, "write");
}

/* ---- a pipe of three processes ---- */

static void pipe_a(void)
{
	read_byte(first[0]);
}

static void pipe_b(void)
{
	read_byte(second[0]);
	write_byte(first[1]);
}

static void pipe_c(void)
{
	await_asleep("pipe-a");
	await_asleep("pipe-b");
	nap(NAP_MS);
	write_byte(second[1]);
}

static void pipes(void)
{
	bail_if(pipe(first) || pipe(second), "pipe");
	actor("pipe-a", -1, 0, pipe_a);
	actor("pipe-b", -1, 0, pipe_b);
	actor("pipe-c", -1, 0, pipe_c);
}

/* ---- sockets ---- */

static void answer(const char *client)
{
	read_byte(first[1]);
	await_asleep(client);
	nap(NAP_MS);
	write_byte(first[1]);
}

static void unix_server(void)
{
	answer("unix-client");
}

static void tcp_server(void)
{
	answer("tcp-client");
}

static void ask(void)
{
	write_byte(first[0]);
	bail_if(recv(first[0], &byte, 1, 0) != 1, "recv");
}

static void unix_socket(void)
{
	bail_if(socketpair(AF_UNIX, SOCK_STREAM, 0, first), "socketpair");
	actor("unix-server", -1, 0, unix_server);
	actor("unix-client", -1, 0, ask);
}

static void loopback(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0);

	first[0] = socket(AF_INET, SOCK_STREAM, 0);
	bail_if(bind(server, (struct sockaddr *)&address, len) || listen(server, 1) ||
			getsockname(server, (struct sockaddr *)&address, &len) ||
			connect(first[0], (struct sockaddr *)&address, len),
		"connect");
	first[1] = accept(server, NULL, NULL);
	actor("tcp-server", -1, 0, tcp_server);
	actor("tcp-client", -1, 0, ask);
}

/* ---- futexes ---- */

static int *lock;
static int *preempted; /* the third process runs on the owner's CPU */

/* The owner does not run while the third process spins. */
static void futex_owner(void)
{
	await_asleep("futex-waiter");
	while (!__atomic_load_n(preempted, __ATOMIC_SEQ_CST))
		;
	futex_unlock(lock);
}

static void futex_third(void)
{
	await_asleep("futex-waiter");
	nap(NAP_MS);
	__atomic_store_n(preempted, 1, __ATOMIC_SEQ_CST);
	spin(600);
}

static void futex_waiter(void)
{
	futex_lock(lock);
	futex_unlock(lock);
}

/* The owner of a lock is preempted by a third process. The owner has the lock from the start. */
static void futex(void)
{
	lock = shared();
	preempted = shared();
	futex_lock(lock);
	actor("futex-owner", 1, 0, futex_owner);
	actor("futex-third", 1, 10, futex_third);
	actor("futex-waiter", 0, 0, futex_waiter);
}

static void *join_thread(void *unused)
{
	pthread_setname_np(pthread_self(), "join-thread");
	await_asleep("join-main");
	nap(NAP_MS);
	return unused;
}

static void join_main(void)
{
	pthread_t thread;

	bail_if(pthread_create(&thread, NULL, join_thread, NULL), "pthread_create");
	pthread_join(thread, NULL);
}

static void join(void)
{
	actor("join-main", -1, 0, join_main);
}

/* ---- other objects ---- */

static void epoll_waiter(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0);

	bail_if(epoll_ctl(epoll, EPOLL_CTL_ADD, number, &event), "epoll_ctl");
	epoll_wait(epoll, &event, 1, -1);
}

static void epoll_writer(void)
{
	await_asleep("epoll-waiter");
	nap(NAP_MS);
	eventfd_write(number, 1);
}

static void epoll(void)
{
	number = eventfd(0, 0);
	actor("epoll-waiter", -1, 0, epoll_waiter);
	actor("epoll-writer", -1, 0, epoll_writer);
}

static void msg_receiver(void)
{
	struct {
		long type;
		char text[8];
	} message;

	msgrcv(number, &message, sizeof(message.text), 0, 0);
	msgctl(number, IPC_RMID, NULL);
}

static void msg_sender(void)
{
	const struct {
		long type;
		char text[8];
	} message = { 1, "" };

	await_asleep("msg-receiver");
	nap(NAP_MS);
	msgsnd(number, &message, sizeof(message.text), 0);
}

static void message(void)
{
	number = msgget(IPC_PRIVATE, 0600);
	actor("msg-receiver", -1, 0, msg_receiver);
	actor("msg-sender", -1, 0, msg_sender);
}

static void fifo_reader(void)
{
	bail_if(open("why_fifo", O_RDONLY) < 0, "open");
}

static void fifo_writer(void)
{
	nap(delay_ms(NAP_MS));
	/*
	 * open() fails with ENXIO until the reader waits in open(), so the writer never waits
	 * there.
	 */
	while (open("why_fifo", O_WRONLY | O_NONBLOCK) < 0) {
		bail_if(errno != ENXIO, "open");
		nap(NAP_MS);
	}
}

static void fifo(void)
{
	unlink("why_fifo");
	bail_if(mkfifo("why_fifo", 0600), "mkfifo");
	actor("fifo-reader", -1, 0, fifo_reader);
	actor("fifo-writer", -1, 0, fifo_writer);
}

/* ---- processes ---- */

static void fork_child(void)
{
	await_asleep("fork-parent");
	nap(NAP_MS);
}

static void fork_parent(void)
{
	actor("fork-child", -1, 0, fork_child);
	actors_end();
}

static void fork_wait(void)
{
	actor("fork-parent", -1, 0, fork_parent);
}

static void chain_last(void)
{
	await_asleep("chain-first");
	await_asleep("chain-middle");
	nap(NAP_MS);
}

static void chain_middle(void)
{
	actor("chain-last", -1, 0, chain_last);
	actors_end();
}

static void chain_first(void)
{
	actor("chain-middle", -1, 0, chain_middle);
	actors_end();
}

static void chain(void)
{
	actor("chain-first", -1, 0, chain_first);
}

/* ---- signals ---- */

static int *continued;

static void stopper(void)
{
	await_asleep("stopped");
	kill(victim, SIGSTOP);
	nap(4 * NAP_MS);
	__atomic_store_n(continued, 1, __ATOMIC_SEQ_CST);
	kill(victim, SIGCONT);
}

/* Sleep until the stopper has continued this process. */
static void napper(void)
{
	while (!__atomic_load_n(continued, __ATOMIC_SEQ_CST))
		nap(NAP_MS);
}

static void stopped(void)
{
	continued = shared();
	victim = actor("stopped", -1, 0, napper);
	actor("stopper", -1, 0, stopper);
}

static sigset_t blocked;

static void sig_waiter(void)
{
	int signal;

	sigwait(&blocked, &signal);
}

static void sig_sender(void)
{
	await_asleep("sig-waiter");
	nap(NAP_MS);
	kill(victim, SIGUSR1);
}

static void sig(void)
{
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	victim = actor("sig-waiter", -1, 0, sig_waiter);
	actor("sig-sender", -1, 0, sig_sender);
}

const struct scenario ipc_scenarios[] = {
	{ "pipe", pipes },	 { "unix", unix_socket }, { "loopback", loopback },
	{ "futex", futex },	 { "join", join },	  { "epoll", epoll },
	{ "message", message },	 { "fifo", fifo },	  { "fork", fork_wait },
	{ "chain", chain },	 { "stopped", stopped },  { "signal", sig },
	{ NULL, NULL },
};
