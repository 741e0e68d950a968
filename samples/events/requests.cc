// SPDX-License-Identifier: LGPL-2.1
// Like requests.c, in C++: an object puts the beginning and the end of a request into the trace, even
// if the request ends with an exception.
#include <lkst/event.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

class Request {
public:
	Request(unsigned int id, const std::string &path) : id_(id)
	{
		LKST_EVENT(request_begin, "id=%u path=%s", id_, path.c_str());
	}
	~Request() { LKST_EVENT(request_end, "id=%u status=%d", id_, status_); }
	Request(const Request &) = delete;
	Request &operator=(const Request &) = delete;
	void done(int status) { status_ = status; }

private:
	unsigned int id_;
	int status_ = 500;
};

static void compute()
{
	auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);

	while (std::chrono::steady_clock::now() < end)
		;
}

static void answer(unsigned int id)
{
	Request request(id, id % 5 ? "/index" : "/report");

	if (id % 5 == 0)
		std::thread(compute).join();
	if (id % 7 == 0)
		throw std::runtime_error("no answer");
	request.done(200);
}

int main(int argc, char **argv)
{
	unsigned int number = argc > 1 ? static_cast<unsigned int>(std::atoi(argv[1])) : 10;

	for (unsigned int id = 1; id <= number; id++) {
		try {
			answer(id);
		} catch (const std::runtime_error &) {
			// The event says that the status is 500.
		}
	}
	return 0;
}
